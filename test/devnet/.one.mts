import { readFileSync } from 'node:fs';
import { runTolkCompiler } from '@ton/tolk-js';
const folder = new URL('file:///work/main/test/devnet/contracts/');
for (const name of process.argv.slice(2)) {
const r = await runTolkCompiler({ entrypointFileName: `${name}.tolk`, fsReadCallback: (p) => readFileSync(new URL(p, folder), 'utf8') });
console.log(name, r.status === 'error' ? r.message : r.codeHashHex, r.status==='error'?'':Buffer.from(r.codeBoc64,'base64').length);
}
