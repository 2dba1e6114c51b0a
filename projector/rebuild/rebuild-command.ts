import { setTimeout as pause } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { parseAddress } from '../../shared/address.ts';
import type { Config } from '../../shared/config.ts';
import { InvalidInputError } from '../../shared/errors.ts';
import { createLogger } from '../../shared/logger.ts';
import { type Stores, withStores } from '../../shared/stores.ts';
import { followGeneration, generationDigest } from '../run.ts';
import { rebuild } from './rebuild.ts';
import { showRebuild } from './rebuild-progress.ts';
import type { RebuildScope } from './rebuild-scope.ts';
import { giveUp, unfinishedGeneration } from './rebuild-target.ts';

interface RebuildCommandOptions {
  dao?: string[];
  partitions?: number[];
  untilCaughtUp?: boolean;
  cancel?: boolean;
  json?: boolean;
}

const LOOK_MS = 50;

/** Adds `rebuild` to the command. */
export function addRebuildCommand(cli: Command, config: Config): void {
  cli
    .command('rebuild')
    .description('build a new generation of read models from the log alone, beside the live one')
    .option('--dao <address...>', 'fold these DAOs alone, and copy the rest from the live generation')
    .option('--partitions <numbers>', 'fold these partitions alone, comma-separated', partitionNumbers)
    .option('--until-caught-up', 'end once the log is folded, instead of following it')
    .option('--cancel', 'give up an unfinished rebuild and free what it has built')
    .option('--json', 'what was built, as JSON')
    .addHelpText('after', '\nCtrl-C stops it; the same command goes on where it was.')
    .action(async (options: RebuildCommandOptions) => {
      const scope = scopeOf(options);
      await withStores(config, (stores) =>
        options.cancel ? cancel(stores, config) : run(stores, config, options, scope),
      );
    });
}

async function cancel({ store }: Stores, config: Config): Promise<void> {
  const unfinished = await unfinishedGeneration(store);
  if (!unfinished)
    throw new InvalidInputError(
      'NOTHING_TO_CANCEL',
      'This version has no unfinished rebuild; see `generations`',
    );
  await giveUp(store, config, unfinished.id);
  console.log(`dropped the unfinished generation ${unfinished.id}`);
}

async function run(
  stores: Stores,
  config: Config,
  { untilCaughtUp, json }: RebuildCommandOptions,
  scope: RebuildScope | undefined,
): Promise<void> {
  const { log, store } = stores;
  const logger = createLogger(config.LOG_LEVEL);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const shown = showRebuild(config.LOG_LEVEL === 'silent');
  const { generation, complete, records, seconds } = await rebuild({
    log,
    store,
    config,
    logger,
    signal: stopping.signal,
    onProgress: (progress) => shown.update(progress),
    ...(scope && { scope }),
  }).finally(() => shown.end());
  const { id } = generation;
  if (!complete) {
    console.error(`stopped; \`rebuild\` goes on with ${id} where it was, \`rebuild --cancel\` gives it up`);
    process.exitCode = 1;
    return;
  }
  if (!json) console.log(`${id} is built: ${records} records in ${seconds.toFixed(1)} s; it is not live`);
  const following = await followGeneration({ log, store, logger }, generation);
  try {
    await untilFolded(stores, id, stopping.signal);
    const recordsPerSecond = Math.round(records / seconds);
    const digest = await digestOf(stores, id);
    if (json) console.log(JSON.stringify({ generation: id, records, seconds, recordsPerSecond, digest }));
    else console.log(`it has caught up with the log, digest ${digest}; \`promote ${id}\` makes it live`);
    if (!untilCaughtUp) await aborted(stopping.signal);
  } finally {
    await following.stop();
  }
}

/** Until nothing of the log, as it stands at the moment, is left to fold. */
async function untilFolded({ log, store }: Stores, id: string, signal: AbortSignal): Promise<void> {
  const writer = await store.openWriter(id);
  for (;;) {
    let left = 0;
    for (const { partition, end } of await log.ends())
      left += end - (await writer.checkpoint(partition)).offset;
    if (left <= 0 || signal.aborted) break;
    await pause(LOOK_MS);
  }
  await writer.close();
}

async function digestOf({ log, store }: Stores, id: string): Promise<string> {
  const writer = await store.openWriter(id);
  const digest = await generationDigest(writer, log.partitions);
  await writer.close();
  return digest;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function scopeOf({ dao = [], partitions = [] }: RebuildCommandOptions): RebuildScope | undefined {
  const daos = dao.map((address) => parseAddress(address));
  return daos.length + partitions.length === 0 ? undefined : { daos, partitions };
}

function partitionNumbers(text: string): number[] {
  if (!/^\d{1,5}(,\d{1,5})*$/.test(text)) throw new InvalidArgumentError('Give numbers, such as 0,2.');
  return text.split(',').map(Number);
}
