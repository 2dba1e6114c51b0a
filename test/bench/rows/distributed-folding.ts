import { pino } from 'pino';
import { project } from '../../../projector/run.ts';
import type { CommitBatch, GenerationWriter } from '../../../shared/read-store/read-store.ts';
import { consume, follow } from '../following.ts';
import { bareDatabase, ownDatabase, ownStore, writeBare } from '../mongo.ts';
import { mediansOfRounds } from '../rounds.ts';
import type { Row, Size } from '../row.ts';
import { storedLog } from '../stored-log.ts';

const ROUNDS = 3;
const RECORDS: Record<Size, number> = { small: 2000, full: 5000 };
const silent = pino({ level: 'silent' });

export const distributedFolding: Row = {
  name: 'distributed-folding',
  ours: 'following the log in Kafka and folding it into MongoDB',
  reference: 'kafkajs and a bulk of the same documents for each batch, without lists',
  unit: 'records a second by the clock',
  goal: { atLeast: 0.3 },
  async measure(size) {
    const count = RECORDS[size];
    const log = await storedLog(count);
    const settings = await ownDatabase('folding');
    const [db, store] = [await bareDatabase(settings), await ownStore(settings)];

    const fold = async (commits: CommitBatch[] = []) => {
      const { id } = await store.create('bench', 1);
      const writer = recording(await store.openWriter(id), commits);
      const took = await follow(log, count, (batch) => project(batch, writer, silent));
      await store.view(async (view) => {
        if ((await view.list('dead_letters/0')).total > 0) throw new Error('the records could not be folded');
      }, id);
      return (count * 1000) / took;
    };
    const commits: CommitBatch[] = [];
    await fold(commits);

    let copies = 0;
    const copy = async () => {
      const collection = `bare-${copies++}`;
      const left = [...commits];
      const took = await consume(log, count, async (_, consumed) => {
        for (let next = left[0]; next && next.checkpoint.offset <= consumed; next = left[0]) {
          await writeBare(db, collection, next);
          left.shift();
        }
      });
      return (count * 1000) / took;
    };
    await copy();

    const documents = commits.reduce((sum, commit) => sum + commit.documents.length, 0);
    const rates = await mediansOfRounds(ROUNDS, fold, copy);
    return {
      ...rates,
      note: `${count} records in ${commits.length} batches, ${documents} documents written`,
    };
  },
};

/** Hands on what is asked of `writer`, and keeps what is committed. */
function recording(writer: GenerationWriter, commits: CommitBatch[]): GenerationWriter {
  return {
    checkpoint: (partition) => writer.checkpoint(partition),
    load: (keys) => writer.load(keys),
    commit: (batch) => {
      commits.push(batch);
      return writer.commit(batch);
    },
    documents: (model) => writer.documents(model),
    close: () => writer.close(),
  };
}
