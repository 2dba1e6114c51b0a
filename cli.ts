import { resolve as resolvePath } from 'node:path';
import { Command, CommanderError } from 'commander';
import { configuredKeys } from './api/key-file.ts';
import { createJettonWalletResolver } from './api/links/jetton-wallet.ts';
import type { LinkSettings } from './api/links/settings.ts';
import { Indexing } from './api/ops/indexing.ts';
import { RequestCounts } from './api/ops/request-counts.ts';
import { startOps } from './api/ops/server.ts';
import type { ProcessParts } from './api/ops/status.ts';
import { startApi } from './api/server.ts';
import { addTokenCommand } from './api/token-command.ts';
import { showProgress } from './indexer/progress-bar.ts';
import { startIndexer } from './indexer/run.ts';
import { addDeadLettersCommand } from './projector/dead-letters-command.ts';
import { addExportCommand } from './projector/export/export-command.ts';
import { startEventPublisher } from './projector/export/publish-events.ts';
import { addGenerationCommands } from './projector/generations-command.ts';
import { addRebuildCommand } from './projector/rebuild/rebuild-command.ts';
import { startProjector } from './projector/run.ts';
import { readStatus } from './projector/status.ts';
import { statusText } from './projector/status-text.ts';
import { parseAddress } from './shared/address.ts';
import { type ChainClient, createChainClient } from './shared/chain/chain-client.ts';
import { type Config, readConfig } from './shared/config.ts';
import { backUp } from './shared/embedded/backup.ts';
import { IndexerError, InvalidInputError } from './shared/errors.ts';
import { createLogger } from './shared/logger.ts';
import {
  openEventLog,
  openEventStream,
  storeOpeners,
  using,
  whenReachable,
  withStores,
} from './shared/stores.ts';

type Role = 'index' | 'project' | 'serve';

/** What runs, and how it ends. */
export interface Service {
  apiUrl: string;
  opsUrl: string;
  /** Finishes what is in flight and closes the stores. */
  stop(): Promise<void>;
  /** Rejects where a role cannot go on. */
  failed: Promise<never>;
}

/**
 * Starts the roles on the configured stores: the same parts in one process or in several. A role waits
 * for the stores that it needs; the ops port shows all of them.
 */
async function startService(
  config: Config,
  roles: Role[],
  ended: AbortSignal = new AbortController().signal,
): Promise<Service> {
  const logger = createLogger(config.LOG_LEVEL);
  const open = storeOpeners(config, logger);
  const wait = <T>(port: () => Promise<T>) => whenReachable(port, logger, ended);
  const requests = new AbortController();
  const stops = [() => open.close(), async () => requests.abort()];
  const stop = async () => {
    for (const end of stops.splice(0)) await end();
  };
  let failed: Promise<never> = new Promise(() => {});
  let apiUrl = '';
  const parts: ProcessParts = { roles };
  try {
    if (roles.includes('project')) {
      const [log, store] = [await wait(open.log), await wait(open.store)];
      const projector = await wait(() => startProjector({ log, store, logger, config }));
      stops.unshift(() => projector.stop());
      if (config.KAFKA_EVENTS) {
        const stream = await wait(() => openEventStream(config, log.partitions, logger));
        stops.unshift(() => stream.close());
        const publisher = await wait(() => startEventPublisher({ log, stream, logger }));
        stops.unshift(() => publisher.stop());
      }
    }
    if (roles.includes('index')) {
      const indexing = new Indexing();
      const indexer = startIndexer({
        chain: indexing.watch(chainOf(config, requests.signal)),
        log: await wait(open.log),
        daos: config.TRACKED_DAOS,
        logger,
        onProgress: indexing.note(showProgress()),
      });
      parts.indexer = () => indexing.join(indexer.status());
      failed = indexer.done.then(() => new Promise<never>(() => {}));
      failed.catch(() => {});
      stops.unshift(() => indexer.stop());
    }
    if (roles.includes('serve')) {
      parts.requests = new RequestCounts();
      const api = await startApi({
        keys: await configuredKeys(config),
        store: await wait(open.store),
        revocations: await wait(open.revocations),
        links: linksOf(config, requests.signal),
        log: logger,
        requests: parts.requests,
        host: config.HOST,
        port: config.PORT,
      });
      apiUrl = api.url;
      stops.unshift(() => api.close());
    }
    const ops = await startOps({
      ...parts,
      status: async () => readStatus(await open.log(), await open.store()),
      eventLog: { ends: async () => (await open.log()).ends() },
      store: { view: async (read, id) => (await open.store()).view(read, id) },
      revocations: { isRevoked: async (jti) => (await open.revocations()).isRevoked(jti) },
      log: logger,
      host: config.OPS_HOST,
      port: config.OPS_PORT,
    });
    stops.unshift(() => ops.close());
    return { apiUrl, opsUrl: ops.url, stop, failed };
  } catch (error) {
    await stop();
    throw error;
  }
}

function chainOf(config: Config, signal: AbortSignal): ChainClient {
  return createChainClient({ endpoints: endpointsOf(config), timeoutMs: config.TON_TIMEOUT_MS, signal });
}

/** Links ask the chain through a client of their own: nobody waits behind a backfill for a link. */
function linksOf(config: Config, signal: AbortSignal): LinkSettings {
  const chain = createChainClient({ endpoints: endpointsOf(config), timeoutMs: 3000, retries: 1, signal });
  return {
    network: config.NETWORK,
    miniAppUrl: config.MINI_APP_URL,
    resolveJettonWallet: createJettonWalletResolver(chain),
  };
}

function endpointsOf({ TON_ENDPOINTS, TON_REQUESTS_PER_SECOND: requestsPerSecond }: Config) {
  return TON_ENDPOINTS.map((url) => ({ url, requestsPerSecond }));
}

/** Runs until a signal asks for the end or a role fails. */
async function run(config: Config, roles: Role[]): Promise<void> {
  const ended = new AbortController();
  const asked = signalled().then(() => ended.abort());
  const service = await startService(config, roles, ended.signal).catch((error: unknown) => {
    if (!ended.signal.aborted) throw error;
  });
  if (!service) return;
  if (service.apiUrl) console.log(`API on ${service.apiUrl}`);
  console.log(`Status page and health checks on ${service.opsUrl}`);
  try {
    await Promise.race([asked, service.failed]);
  } finally {
    await service.stop();
  }
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

function program(config: Config): Command {
  const cli = new Command('dao-indexer')
    .description('Event-sourced indexer, read models and query API for the DAOs of TON')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 2 wrong use, 3 done but not well (`diff`: they differ; `dead-letters`: some are parked ' +
        'still). Settings are environment variables; see the README.',
    )
    .exitOverride();

  cli
    .command('demo')
    .description(
      'a chain of its own with two DAOs, and everything that indexes and serves them, in one process',
    )
    .action(async () => {
      // The devnet is test code: it is loaded here and nowhere else.
      // oxlint-disable-next-line no-restricted-imports
      const { runDemo } = await import('./test/devnet/demo.ts');
      await runDemo(config, (settings) => startService(settings, ['index', 'project', 'serve']), signalled());
    });
  const roles: [string, string, Role[]][] = [
    ['start', 'everything in one process, on the chain of TON_ENDPOINTS', ['index', 'project', 'serve']],
    ['index', 'the indexer alone: from the chain to the log', ['index']],
    ['project', 'a projector alone: from the log to the read models', ['project']],
    ['serve', 'the API alone: answers from the read models', ['serve']],
  ];
  for (const [name, description, played] of roles)
    cli
      .command(name)
      .description(description)
      .action(() => run(config, played));

  for (const [name, tracked, description] of [
    ['track', true, 'index a DAO, now or when the indexer runs'],
    ['untrack', false, 'stop indexing a DAO and serving it'],
  ] as const)
    cli
      .command(`${name} <dao>`)
      .description(description)
      .action(async (dao: string) => {
        const address = parseAddress(dao);
        await using(await openEventLog(config), (log) => log.requestTracking(address, tracked));
        console.log(`asked to ${name} ${address}`);
      });

  cli
    .command('status')
    .description('how far the log and the read models are')
    .option('--json', 'for scripts')
    .action(async ({ json }: { json?: boolean }) => {
      const status = await withStores(config, ({ log, store }) => readStatus(log, store));
      console.log(json ? JSON.stringify(status, null, 2) : statusText(status));
    });

  cli
    .command('backup <folder>')
    .description('copy the data folder into a new one, also while the service runs')
    .action(async (folder: string) => {
      await backUp(config.DATA_DIR, resolvePath(folder));
      console.log(`copied ${config.DATA_DIR} to ${folder}`);
    });

  addRebuildCommand(cli, config);
  addGenerationCommands(cli, config);
  addDeadLettersCommand(cli, config);
  addExportCommand(cli, config);
  addTokenCommand(cli, config);
  return cli;
}

/** What went wrong in one line; only what is not ours to explain shows where it happened. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof IndexerError) {
    console.error(`${error.message} [${error.code}]`);
    return error instanceof InvalidInputError ? 2 : 1;
  }
  console.error(error);
  return 1;
}

try {
  await program(readConfig(process.env)).parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
