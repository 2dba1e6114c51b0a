import { expect } from 'chai';
import { type AnyBulkWriteOperation, type Collection, MongoBulkWriteError, MongoClient } from 'mongodb';
import { startMongo } from './mongo.ts';
import type { Server } from './server.ts';

interface Numbered {
  _id: string;
  n: number;
}

const rounds = 5;
const writers = 12;
const bulk = Array.from({ length: 20 }, (_, i) => `bulk ${String(i).padStart(2, '0')}`);

describe("the launcher of MongoDB's protocol", () => {
  let server: Server;
  let client: MongoClient;
  let documents: Collection<Numbered>;

  async function connect(): Promise<void> {
    client = new MongoClient(server.url, { writeConcern: { w: 'majority', journal: true } });
    documents = (await client.connect()).db('test').collection<Numbered>('documents');
  }

  /** The document with n, where it is missing or of a lower n; E11000 where it is not. */
  const replaceOlder = (_id: string, n: number) =>
    documents.replaceOne({ _id, n: { $lt: n } }, { n }, { upsert: true });

  const all = () => documents.find().sort({ _id: 1 }).toArray();

  before(async () => {
    server = await startMongo();
  });

  beforeEach(async () => {
    await connect();
    await documents.deleteMany({});
  });

  afterEach(() => client.close());

  after(() => server.stop());

  it('refuses a conditional upsert that comes too late with E11000', async () => {
    await replaceOlder('a', 5);
    await replaceOlder('a', 6);
    expect(await replaceOlder('a', 6).catch((error: unknown) => error)).to.have.property('code', 11000);
    expect(await all()).to.deep.equal([{ _id: 'a', n: 6 }]);
  });

  it('lets one of many win who compare and set at the same time', async () => {
    await documents.insertOne({ _id: 'checkpoint', n: 0 });
    for (let n = 0; n < 20; n++) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          documents.updateOne({ _id: 'checkpoint', n }, { $set: { n: n + 1 } }),
        ),
      );
      expect(answers.filter(({ modifiedCount }) => modifiedCount === 1)).to.have.length(1);
    }
  });

  const insert = (_id: string): AnyBulkWriteOperation<Numbered> => ({
    insertOne: { document: { _id, n: 0 } },
  });
  const update = (_id: string): AnyBulkWriteOperation<Numbered> => ({
    replaceOne: { filter: { _id, n: 0 }, replacement: { n: 1 }, upsert: true },
  });
  const remove = (_id: string): AnyBulkWriteOperation<Numbered> => ({ deleteOne: { filter: { _id } } });
  const removeWrongly: AnyBulkWriteOperation<Numbered> = {
    deleteOne: { filter: { n: { $none: 1 } } },
  };

  for (const [what, first, failing, last] of [
    ['inserts', insert('b'), insert('a'), insert('c')],
    ['updates', update('b'), update('a'), update('c')],
    ['deletes', remove('d'), removeWrongly, remove('e')],
  ] as const) {
    for (const ordered of [true, false]) {
      it(`${ordered ? 'stops' : 'does not stop'} ${ordered ? 'ordered' : 'unordered'} ${what} at the first error`, async () => {
        await documents.insertMany(['a', 'd', 'e'].map((_id) => ({ _id, n: 2 })));
        const error = await documents
          .bulkWrite([first, failing, last], { ordered })
          .catch((caught: unknown) => caught);
        if (!(error instanceof MongoBulkWriteError)) throw error;
        const { insertedCount, upsertedCount, deletedCount } = error.result;
        expect(insertedCount + upsertedCount + deletedCount).to.equal(ordered ? 1 : 2);
        expect([error.writeErrors].flat().map(({ index }) => index)).to.deep.equal([1]);
        const ids = (await all()).map(({ _id }) => _id).join('');
        const [stopped, gone] = what === 'deletes' ? ['ae', 'a'] : ['abde', 'abcde'];
        expect(ids).to.equal(ordered ? stopped : gone);
      });
    }
  }

  it('holds a unique index, also after a kill', async () => {
    await documents.createIndex({ n: 1 }, { unique: true });
    await documents.insertOne({ _id: 'a', n: 1 });
    await client.close();
    await server.kill();
    await server.start();
    await connect();
    const answer = await documents.insertOne({ _id: 'b', n: 1 }).catch((error: unknown) => error);
    expect(answer).to.have.property('code', 11000);
    await documents.drop();
  });

  it('has a renamed collection under its new name, also after a kill', async () => {
    await documents.createIndex({ n: 1 }, { unique: true });
    await documents.insertOne({ _id: 'a', n: 1 });
    await documents.rename('renamed', { dropTarget: true });
    await client.close();
    await server.kill();
    await server.start();
    await connect();
    const renamed = client.db('test').collection<Numbered>('renamed');
    expect(await renamed.find().toArray()).to.deep.equal([{ _id: 'a', n: 1 }]);
    const answer = await renamed.insertOne({ _id: 'b', n: 1 }).catch((error: unknown) => error);
    expect(answer).to.have.property('code', 11000);
    expect(await all()).to.deep.equal([]);
    await renamed.drop();
  });

  it('never shows half of a change', async () => {
    const wide = client.db('test').collection<Record<string, number>>('wide');
    const changes = 300;
    const fields = (n: number) => Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${i}`, n]));
    const writing = (async () => {
      for (let n = 0; n <= changes; n++) await wide.replaceOne({}, fields(n), { upsert: true });
    })();
    const reading = Array.from({ length: 4 }, async () => {
      for (let last = -1; last < changes; ) {
        const read = await wide.findOne({}, { projection: { _id: 0 } });
        if (read === null) continue;
        last = read['f0'] ?? -1;
        expect(new Set(Object.values(read))).to.deep.equal(new Set([last]));
      }
    });
    await Promise.all([writing, ...reading]);
    await wide.drop();
  });

  for (let round = 1; round <= rounds; round++) {
    it(`loses nothing that it acknowledged when it is killed (round ${round})`, async () => {
      const acknowledged = new Map<string, number>();
      /** Writes the numbers from 1 on until the server is gone. */
      async function count(ids: string[], write: (n: number) => Promise<unknown>): Promise<void> {
        for (let n = 1; ; n++) {
          try {
            await write(n);
          } catch {
            return;
          }
          for (const id of ids) acknowledged.set(id, n);
        }
      }
      const ids = Array.from({ length: writers }, (_, i) => `single ${i}`);
      const counting = [
        ...ids.map((_id) => count([_id], (n) => replaceOlder(_id, n))),
        count(bulk, (n) =>
          documents.bulkWrite(
            bulk.map((_id) => ({ replaceOne: { filter: { _id }, replacement: { n }, upsert: true } })),
          ),
        ),
        count(['inserted'], (n) => documents.insertOne({ _id: `inserted ${n}`, n })),
      ];
      while (
        acknowledged.size < ids.length + bulk.length + 1 ||
        [...acknowledged.values()].some((n) => n < 10)
      ) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await server.kill();
      await client.close();
      await Promise.all(counting);
      await server.start();
      await connect();

      const stored = new Map((await all()).map(({ _id, n }) => [_id, n]));
      for (const id of [...ids, ...bulk]) {
        const last = acknowledged.get(id) ?? 0;
        expect(stored.get(id), id).to.be.within(last, last + 1);
      }
      for (let n = 1; n <= (acknowledged.get('inserted') ?? 0); n++) {
        expect(stored.get(`inserted ${n}`)).to.equal(n);
      }
      const inOrder = bulk.map((id) => stored.get(id) ?? 0);
      expect(inOrder).to.deep.equal([...inOrder].sort((a, b) => b - a));
    });
  }
});
