import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Command, CommanderError } from 'commander';
import pino from 'pino';
import type { DeadLetter } from '../../projector/dead-letters.ts';
import { addDeadLettersCommand } from '../../projector/dead-letters-command.ts';
import type { Diff } from '../../projector/diff.ts';
import { projectionsVersion } from '../../projector/generations.ts';
import { addGenerationCommands } from '../../projector/generations-command.ts';
import { project } from '../../projector/run.ts';
import type { GenerationStatus } from '../../projector/status.ts';
import { readConfig } from '../../shared/config.ts';
import { IndexerError } from '../../shared/errors.ts';
import { withStores } from '../../shared/stores.ts';
import { daoStatus } from './chain-of-facts.ts';
import { burned, DAO, foundation, received, walletDiscovered, walletOf } from './story.ts';

const silent = pino({ level: 'silent' });
const RECORDS = [
  ...foundation(),
  daoStatus(DAO, 'complete'),
  walletDiscovered('a'),
  walletDiscovered('b'),
  burned('a', 1n, 10),
  received('a', 5n, 11),
  received('b', 7n, 12),
];
interface Outcome {
  code: number;
  out: string;
  /** What the error is told as. */
  error: string;
}

const PLACE = `0/${RECORDS.length - 3}`;

describe('the commands around generations', () => {
  let folder: string;
  let live: string;
  let behind: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commands-'));
    await withStores(config(), async ({ log, store }) => {
      const indexer = await log.openWriter();
      await indexer.append({ records: RECORDS, state: [] });
      const fold = async (to: number) => {
        const { id } = await store.create(projectionsVersion(), log.partitions);
        const writer = await store.openWriter(id);
        for (const { partition, end } of await log.ends())
          for await (const batch of log.scan(partition, 0, Math.min(to, end)))
            await project(batch, writer, silent);
        return id;
      };
      live = await fold(RECORDS.length);
      behind = await fold(RECORDS.length - 1);
    });
  });

  after(() => rm(folder, { recursive: true }));

  /** In this process: a process of its own for each would take most of the time. */
  async function run(...args: string[]): Promise<Outcome> {
    const outcome: Outcome = { code: 0, out: '', error: '' };
    const write = (text: string) => (outcome.out += text);
    const cli = new Command().exitOverride().configureOutput({ writeOut: write, writeErr: () => {} });
    addGenerationCommands(cli, config());
    addDeadLettersCommand(cli, config());
    const { log } = console;
    console.log = (text: string) => write(`${text}\n`);
    try {
      await cli.parseAsync(args, { from: 'user' });
      outcome.code = Number(process.exitCode ?? 0);
    } catch (error) {
      if (error instanceof IndexerError) outcome.error = `${error.message} [${error.code}]`;
      else if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
    } finally {
      console.log = log;
      process.exitCode = undefined;
    }
    return outcome;
  }

  const config = () => readConfig({ DATA_DIR: folder, LOG_PARTITIONS: '1' });
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out) as unknown;

  it('`generations` lists them with how far they are', async () => {
    const told = (await json('generations')) as GenerationStatus[];
    const summary = told.map(({ id, own, lag, deadLetters, ...rest }) => ({
      id,
      live: rest.live,
      own,
      lag,
      deadLetters,
    }));
    expect(summary).to.deep.equal([
      { id: live, live: true, own: true, lag: 0, deadLetters: 2 },
      { id: behind, live: false, own: true, lag: 1, deadLetters: 2 },
    ]);
    const { out } = await run('generations');
    expect(out)
      .to.match(new RegExp(`${live}.*live.*\\(own\\).*100 %`))
      .and.match(/built.*\d\d %/);
  });

  it('`diff` ends with 3 where they differ and with 0 where they are the same', async () => {
    expect((await run('diff', 'live', behind)).code).to.equal(3);
    const told = (await json('diff', 'live', behind, '--examples', '1')) as Diff;
    expect(told.new).to.include({ id: behind, behind: 1 });
    expect(told.models.map(({ model, removed }) => ({ model, removed }))).to.deep.equal([
      { model: 'holders', removed: 1 },
    ]);
    expect((await run('diff', live, 'live')).code).to.equal(0);
    const unknown = await run('diff', 'live', 'g9');
    expect(unknown.error).to.equal(
      `There is no generation g9; there are: ${live}, ${behind} [GENERATION_UNKNOWN]`,
    );
  });

  it('`promote` is refused while behind, `--force` does it, `rollback` goes back, `drop` frees', async () => {
    const refused = await run('promote', behind);
    expect(refused.error).to.match(/1 records behind .*--force.*\[GENERATION_BEHIND\]/);
    expect((await run('promote', '--help')).out.replaceAll(/\s+/g, ' ')).to.match(
      /--force also one that has folded less/,
    );
    const forced = await run('promote', behind, '--force');
    expect([forced.code, forced.out]).to.deep.equal([
      0,
      `${behind} is live, no longer ${live}\nIt is 1 records behind the log: readers see an older state until a projector of its version has folded them\n`,
    ]);
    expect((await run('drop', behind)).error).to.match(/GENERATION_LIVE/);
    expect(await json('rollback')).to.deep.equal({ id: live, before: behind, lag: 0 });
    expect((await run('drop', behind)).out).to.match(
      new RegExp(`dropped ${behind}: \\d+ documents, \\d+\\.\\d MB`),
    );
    expect((await run('rollback')).error).to.match(/NOTHING_TO_ROLL_BACK_TO/);
  });

  it('`dead-letters` lists, shows, retries and discards', async () => {
    const told = (await json('dead-letters', 'list', '--dao', DAO)) as DeadLetter[];
    expect(told.map(({ account }) => account)).to.deep.equal([walletOf('a'), walletOf('a')]);
    expect((await run('dead-letters', 'list')).out).to.match(new RegExp(`${PLACE}.*would be negative`));
    const shown = await run('dead-letters', 'show', PLACE);
    expect(shown.out)
      .to.match(/would be negative/)
      .and.match(/0x595f07bc burn/)
      .and.match(/x\{595F07BC/);
    const whole = (await json('dead-letters', 'show', PLACE)) as { record: unknown };
    expect(whole.record).to.deep.equal(RECORDS.at(-3));
    expect((await run('dead-letters', 'retry')).error).to.match(/DEAD_LETTERS_UNNAMED/);
    const retried = await run('dead-letters', 'retry', '--all');
    expect([retried.code, retried.out]).to.deep.equal([
      3,
      `${walletOf('a')}: 0 folded, 2 parked still: amount 0 cannot change by -1: it would be negative\n`,
    ]);
    const notFirst = await run('dead-letters', 'discard', `0/${RECORDS.length - 2}`);
    expect(notFirst.error).to.equal(
      `The record at 0/${RECORDS.length - 2} waits for the one at ${PLACE}: discard that one first [DEAD_LETTER_NOT_FIRST]`,
    );
    const discarded = await run('dead-letters', 'discard', PLACE);
    expect([discarded.code, discarded.out]).to.deep.equal([0, `${walletOf('a')}: 1 folded\n`]);
    expect((await run('dead-letters', 'list')).out).to.equal('No record is parked.\n');
    expect((await run('dead-letters', 'show', PLACE)).error).to.match(/DEAD_LETTER_UNKNOWN/);
  });
});
