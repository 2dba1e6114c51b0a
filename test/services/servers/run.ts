import { once } from 'node:events';
import { Argument, Command } from 'commander';
import { services } from './services.ts';

const names = Object.keys(services) as (keyof typeof services)[];
const program = new Command()
  .description('Runs servers for development until Ctrl-C, and prints the settings that name them')
  .addArgument(new Argument('[services...]', 'which ones').choices(names).default(names));
const [asked] = program.parse().processedArgs as [typeof names];

const awake = setInterval(() => {}, 2 ** 30);
const over = Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
const servers = await Promise.all(
  asked.map(async (name) => {
    const server = await services[name].start();
    console.log(`export ${services[name].setting}=${server.url}`);
    return server;
  }),
);
await over;
await Promise.all(servers.map((server) => server.stop()));
clearInterval(awake);
