import Table from 'cli-table3';
import type { Command } from 'commander';
import { parseAddress } from '../shared/address.ts';
import type { Config } from '../shared/config.ts';
import { InvalidInputError } from '../shared/errors.ts';
import type { Generation, ReadStore } from '../shared/read-store/read-store.ts';
import { withStores } from '../shared/stores.ts';
import type { DeadLetter } from './dead-letters.ts';
import { findGeneration } from './find-generation.ts';
import {
  discardDeadLetter,
  findDeadLetter,
  openDeadLetters,
  recordOf,
  retryDeadLetters,
} from './open-dead-letters.ts';
import type { Retried } from './retry.ts';

interface Options {
  json?: boolean;
  generation: string;
}

interface Which {
  all?: boolean;
  dao?: string;
}

/** Exit code of `retry` and `discard`; 1 is a failure and 2 wrong use, of every command. */
const SOME_PARKED = 3;
const STILL_PARKED = `\nExit codes: 0 all are folded, ${SOME_PARKED} some are parked still, 1 failed, 2 wrong use.`;

/** Adds `dead-letters list | show | retry | discard` to the command. */
export function addDeadLettersCommand(cli: Command, config: Config): void {
  const command = cli
    .command('dead-letters')
    .description('records that could not be folded, each with those of its account that wait behind it');
  const subcommand = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .option('--generation <id>', 'of which the read models are', 'live')
      .option('--json', 'for scripts');

  subcommand('list', 'those that are open')
    .option('--dao <address>', 'of one DAO')
    .action(({ json, generation, dao }: Options & { dao?: string }) =>
      withStores(config, async ({ store }) => {
        const letters: DeadLetter[] = [];
        const found = openDeadLetters(
          store,
          await findGeneration(store, generation),
          dao && parseAddress(dao),
        );
        for await (const letter of found) letters.push(letter);
        console.log(json ? print(letters) : listText(letters));
      }),
    );

  subcommand('show <place>', 'one of them, by its <partition>/<offset>').action(
    (place: string, { json, generation }: Options) =>
      withStores(config, async ({ log, store }) => {
        const letter = await findDeadLetter(store, await findGeneration(store, generation), place);
        if (json) console.log(print({ ...letter, record: await recordOf(log, letter) }));
        else console.log(letterText(letter));
      }),
  );

  subcommand('retry [place]', 'fold the parked records of its account again, in order')
    .option('--all', 'of every account')
    .option('--dao <address>', 'of every account of one DAO')
    .addHelpText('after', STILL_PARKED)
    .action((place: string | undefined, { json, generation, ...which }: Options & Which) =>
      withStores(config, async (stores) => {
        const target = await findGeneration(stores.store, generation);
        const retried: Retried[] = [];
        for await (const account of retryDeadLetters(
          stores,
          target,
          chosen(stores.store, target, place, which),
        ))
          retried.push(account);
        tell(retried, json);
      }),
    );

  subcommand(
    'discard <place>',
    'give up a record, the first that is parked of its account, and fold those behind it',
  )
    .addHelpText('after', `\nThe record stays in the log: a rebuild meets it again.${STILL_PARKED}`)
    .action((place: string, { json, generation }: Options) =>
      withStores(config, async (stores) => {
        const target = await findGeneration(stores.store, generation);
        const letter = await findDeadLetter(stores.store, target, place);
        tell([await discardDeadLetter(stores, target, letter)], json);
      }),
    );
}

/** The dead letters that `retry` is asked for; one way to name them, and no other. */
function chosen(
  store: ReadStore,
  generation: Generation,
  place: string | undefined,
  { all, dao }: Which,
): AsyncIterable<DeadLetter> {
  if ([place, all, dao].filter((way) => way !== undefined).length !== 1)
    throw new InvalidInputError('DEAD_LETTERS_UNNAMED', 'Give a place, or --all, or --dao with an address');
  if (place !== undefined) return one(findDeadLetter(store, generation, place));
  return openDeadLetters(store, generation, dao && parseAddress(dao));
}

async function* one<T>(promise: Promise<T>): AsyncGenerator<T> {
  yield await promise;
}

function listText(letters: DeadLetter[]): string {
  if (letters.length === 0) return 'No record is parked.';
  const table = new Table({ style: { head: [], border: [] }, head: ['place', 'account', 'what', 'error'] });
  for (const { partition, offset, account, type, kind, lt, error } of letters)
    table.push([`${partition}/${offset}`, account, kind ? `${kind}, lt ${lt}` : type, error]);
  return table.toString();
}

function letterText({ partition, offset, dao, error, stack, dump }: DeadLetter): string {
  const frames = stack.map((frame) => `  ${frame}`);
  return [`parked at ${partition}/${offset}, DAO ${dao}`, error, ...frames, '', dump].join('\n');
}

function tell(retried: Retried[], json: boolean | undefined): void {
  if (retried.some(({ parked }) => parked > 0)) process.exitCode = SOME_PARKED;
  if (json) return console.log(print(retried));
  if (retried.length === 0) console.log('No record is parked.');
  for (const { account, folded, parked, error } of retried) {
    const still = parked === 0 ? '' : `, ${parked} parked still: ${error}`;
    console.log(`${account}: ${folded} folded${still}`);
  }
}

const print = (value: unknown): string => JSON.stringify(value, null, 2);
