import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../shared/config.ts';
import { withStores } from '../shared/stores.ts';
import { diffGenerations } from './diff.ts';
import { diffText } from './diff-text.ts';
import { dropGeneration } from './drop-generation.ts';
import { findGeneration } from './find-generation.ts';
import { type Promoted, promoteGeneration, rollbackGeneration } from './promotion.ts';
import { readStatus } from './status.ts';
import { generationsText } from './status-text.ts';

interface Output {
  json?: boolean;
}

/** Exit code of `diff`; 1 is a failure and 2 wrong use, of every command. */
const THEY_DIFFER = 3;

/** Adds `generations | diff | promote | rollback | drop` to the command. */
export function addGenerationCommands(cli: Command, config: Config): void {
  cli
    .command('generations')
    .description('the sets of read models: which is live, and how far each is')
    .option('--json', 'for scripts')
    .action(async ({ json }: Output) => {
      const { generations } = await withStores(config, ({ log, store }) => readStatus(log, store));
      console.log(json ? print(generations) : generationsText(generations));
    });

  cli
    .command('diff <old> <new>')
    .description(
      'what readers would see of one generation that they do not see of another (`live` names the live one)',
    )
    .option('--json', 'for scripts')
    .option('--examples <n>', 'examples of each change in each read model', count, 3)
    .addHelpText(
      'after',
      `\nExit codes: 0 they are the same, ${THEY_DIFFER} they differ, 1 failed, 2 wrong use.`,
    )
    .action((old: string, young: string, { json, examples }: Output & { examples: number }) =>
      withStores(config, async ({ store }) => {
        const sides = [await findGeneration(store, old), await findGeneration(store, young)] as const;
        const diff = await diffGenerations(store, ...sides, { examples });
        console.log(json ? print(diff) : diffText(diff));
        if (!diff.same) process.exitCode = THEY_DIFFER;
      }),
    );

  cli
    .command('promote <generation>')
    .description('serve this generation from now on, in every API process at once')
    .option(
      '--force',
      'also one that has folded less than the live one or is far from the end of the log: readers then see an ' +
        'older state until its projector has caught up (for good where none runs)',
    )
    .option('--json', 'for scripts')
    .action((name: string, { force, json }: Output & { force?: boolean }) =>
      withStores(config, async (stores) => tell(await promoteGeneration(stores, name, force), json)),
    );

  cli
    .command('rollback')
    .description('serve again the generation that was live before; a second rollback comes back')
    .option('--json', 'for scripts')
    .action(({ json }: Output) =>
      withStores(config, async (stores) => tell(await rollbackGeneration(stores), json)),
    );

  cli
    .command('drop <generation>')
    .description('free a generation that is not live, for good')
    .option('--json', 'for scripts')
    .action((name: string, { json }: Output) =>
      withStores(config, async ({ store }) => {
        const freed = await dropGeneration(store, name);
        if (json) return console.log(print(freed));
        const { id, documents, bytes } = freed;
        console.log(`dropped ${id}: ${documents} documents, ${(bytes / 2 ** 20).toFixed(1)} MB`);
      }),
    );
}

function tell(promoted: Promoted, json: boolean | undefined): void {
  if (json) return console.log(print(promoted));
  const { id, before, lag } = promoted;
  console.log(before === null ? `${id} is live` : `${id} is live, no longer ${before}`);
  if (lag > 0)
    console.log(
      `It is ${lag} records behind the log: readers see an older state until a projector of its version has folded them`,
    );
}

const print = (value: unknown): string => JSON.stringify(value, null, 2);

function count(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Give a number from 0 to 9999.');
  return Number(text);
}
