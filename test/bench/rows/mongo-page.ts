import type { Document } from 'mongodb';
import { MongoReadStore } from '../../../shared/read-store/mongo.ts';
import type { Stored } from '../../../shared/read-store/mongo-connection.ts';
import { MongoDatabase } from '../../../shared/read-store/mongo-database.ts';
import { answersASecond } from '../askers.ts';
import { bareDatabase, ownStore } from '../mongo.ts';
import { mediansOfRounds } from '../rounds.ts';
import type { Row, Size } from '../row.ts';
import { HOLDER_LIST } from '../stored-dao.ts';
import { storedMongo } from '../stored-mongo.ts';

const ROUNDS = 7;
const ASKERS = 16;
const PAGES: Record<Size, number> = { small: 200, full: 1000 };
/** Shares no factor with the number of holders. */
const STEP = 377_171;

export const mongoPage: Row = {
  name: 'mongo-page',
  ours: 'pages of 100 holders at any place, read from MongoDB, 16 askers',
  reference: 'the driver: the same finds by _id one after the other',
  unit: 'pages a second by the clock',
  goal: { atLeast: 0.5 },
  async measure(size) {
    const { settings, holders } = await storedMongo(size);
    const [store, db] = [await ownStore(settings), await bareDatabase(settings)];
    const count = PAGES[size];
    const offsets = Array.from({ length: count }, (_, i) => ((i + 1) * STEP) % (holders - 100));

    const recorder = new Recorder(settings);
    const finds = await findsOf(recorder, offsets);
    const ours = () =>
      answersASecond(ASKERS, count, (i) =>
        store.view((view) => view.joined(HOLDER_LIST, offsets[i] as number, 100)),
      );
    const reference = () =>
      answersASecond(ASKERS, count, async (i) => {
        for (const { collection, ids, fields } of finds[i] as Find[]) {
          const filter = ids.length === 1 ? { _id: ids[0] as string } : { _id: { $in: ids } };
          await db.collection<Stored>(collection).find(filter, { projection: fields }).toArray();
        }
      });
    await ours();
    await reference();
    const rates = await mediansOfRounds(ROUNDS, ours, reference);
    const each = finds.flat().length / count;
    return { ...rates, note: `of ${holders.toLocaleString('en')}, ${each.toFixed(1)} finds a page` };
  },
};

interface Find {
  collection: string;
  ids: string[];
  fields: Document;
}

/** What each page asks the driver for. */
async function findsOf(recorder: Recorder, offsets: number[]): Promise<Find[][]> {
  const store = new MongoReadStore(recorder);
  const finds: Find[][] = [];
  // The first view of a process asks once more, since it does not know the live generation yet.
  for (const offset of [0, ...offsets]) {
    recorder.finds = [];
    await store.view((view) => view.joined(HOLDER_LIST, offset, 100));
    finds.push(recorder.finds);
  }
  await store.close();
  return finds.slice(1);
}

class Recorder extends MongoDatabase {
  finds: Find[] = [];

  override find<T extends Document>(
    collection: string,
    ids: string[],
    fields: Document = {},
  ): Promise<Stored<T>[]> {
    this.finds.push({ collection, ids, fields });
    return super.find<T>(collection, ids, fields);
  }
}
