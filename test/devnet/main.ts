import { Command } from 'commander';
import { startDevnet } from './devnet.ts';
import { writeServiceEnv } from './service-env.ts';

const program = new Command()
  .description('A TON devnet with a story of DAOs, behind the v4 HTTP API')
  .requiredOption('--data-dir <folder>', 'where the chain is kept')
  .option('--port <number>', 'where to listen; 0 = any free port', '0')
  .option('--host <address>', 'where to listen', '127.0.0.1')
  .option('--rate <number>', 'activities a second after the story', '0')
  .option('--pace <number>', 'blocks of the story revealed a second; 0 = all at once', '0')
  .option('--block-interval <ms>', 'between blocks where there is something to do', '400')
  .option('--seed <text>', 'play another story than the recorded one')
  .option('--service-env <file>', 'write the settings of a service that indexes it there')
  .option('--service-url <url>', 'how that service reaches it, where not as it listens');

const { dataDir, port, host, rate, pace, blockInterval, seed, serviceEnv, serviceUrl } = program
  .parse()
  .opts<Record<string, string>>();
const devnet = await startDevnet({
  dataDir: dataDir ?? '',
  port: Number(port),
  host: host ?? '127.0.0.1',
  rate: Number(rate),
  pace: Number(pace),
  blockInterval: Number(blockInterval),
  ...(seed !== undefined && { seed }),
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void devnet.close());
}

if (serviceEnv !== undefined) {
  const daos = devnet.story.daos.map(({ address }) => address);
  await writeServiceEnv(serviceEnv, serviceUrl ?? devnet.url, daos);
}

// Last: whoever reads it may send a signal at once.
console.log(JSON.stringify({ url: devnet.url, head: devnet.head(), story: devnet.story }));
