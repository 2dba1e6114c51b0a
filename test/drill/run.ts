import { runDrill } from './drill.ts';

console.log('The drill: a contract is upgraded, and the read models are rebuilt while a client reads.\n');
await runDrill((line) => console.log(line));
