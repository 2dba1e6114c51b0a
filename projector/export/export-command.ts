import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { parseAddress } from '../../shared/address.ts';
import type { Config } from '../../shared/config.ts';
import { type ContractKind, contractKinds } from '../../shared/contracts/contract-kind.ts';
import { FatalError, InvalidInputError } from '../../shared/errors.ts';
import { withStores } from '../../shared/stores.ts';
import { toNdjson } from './ndjson.ts';
import { writeToFile, writeToStdout } from './output.ts';
import { toParquet } from './parquet.ts';
import { eventNames, rowSchema } from './row-schema.ts';
import { selectRows } from './select-rows.ts';

const formats = { ndjson: toNdjson, parquet: toParquet };

interface ExportOptions {
  from?: number;
  to?: number;
  dao?: string[];
  kind?: ContractKind[];
  event?: string[];
  all?: boolean;
  format: keyof typeof formats;
  output?: string;
  schema?: boolean;
}

/** Adds `export` to the command. */
export function addExportCommand(cli: Command, config: Config): void {
  cli
    .command('export')
    .description('the decoded events of the log, in its order')
    .option(
      '--from <time>',
      'the first time: ISO 8601 UTC (2026-11-21T10:00:00Z) or unix seconds',
      unixSeconds,
    )
    .option('--to <time>', 'the first time that is left out', unixSeconds)
    .option('--dao <address...>', 'of these DAOs alone', addresses)
    .addOption(new Option('--kind <kind...>', 'of these contracts alone').choices(contractKinds))
    .addOption(
      new Option('--event <event...>', 'these events alone; --schema lists them').choices(eventNames),
    )
    .option('--all', 'failed transactions and those without an event too')
    .addOption(
      new Option('--format <format>', 'form of the rows').choices(Object.keys(formats)).default('ndjson'),
    )
    .option('--output <file>', 'to a file, which is there once it is whole; else to standard output')
    .option('--schema', 'print the JSON Schema of a row instead')
    .action((options: ExportOptions) => {
      if (options.schema) return console.log(JSON.stringify(rowSchema, null, 2));
      return exportEvents(config, options);
    });
}

async function exportEvents(config: Config, options: ExportOptions): Promise<void> {
  const { format, output, from, to, all } = options;
  if (from !== undefined && to !== undefined && from > to)
    throw new InvalidInputError('EMPTY_RANGE', '--from is later than --to: exchange them');
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, interrupt);
  try {
    await withStores(config, async ({ log }) => {
      const selection = { from, to, all, daos: options.dao, kinds: options.kind, events: options.event };
      const chunks = formats[format](selectRows(log, selection));
      if (output === undefined) await writeToStdout(chunks, interrupted.signal);
      else await writeToFile(output, chunks, interrupted.signal);
    });
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    throw new FatalError('INTERRUPTED', 'The export was interrupted', error);
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, interrupt);
  }
}

const utcTime = z.union([z.iso.datetime(), z.iso.date()]).transform((text) => Date.parse(text) / 1000);
const unixTime = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number);

function unixSeconds(text: string): number {
  const { data } = z.union([unixTime, utcTime]).safeParse(text);
  if (data === undefined) throw new InvalidArgumentError('Give ISO 8601 UTC, or unix seconds.');
  return data;
}

function addresses(text: string, before: string[] = []): string[] {
  return [...before, parseAddress(text)];
}
