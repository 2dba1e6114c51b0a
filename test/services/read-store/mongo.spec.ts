import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { pino } from 'pino';
import { FatalError, InvalidInputError, RetryableError } from '../../../shared/errors.ts';
import { openMongoReadStore } from '../../../shared/read-store/mongo.ts';
import { collectionOf, connectMongo } from '../../../shared/read-store/mongo-connection.ts';
import type { GenerationWriter, ReadStore } from '../../../shared/read-store/read-store.ts';
import { batchOf, documentOf, entry } from '../../conformance/documents.ts';
import { readStoreConformance } from '../../conformance/read-store.ts';
import { rejection } from '../../conformance/subject.ts';
import { openFaulty } from './faulty-mongo.ts';
import { collectionsOf, dropDatabase, open } from './open-mongo.ts';

readStoreConformance('mongo', async () => {
  const database = `conformance-${randomBytes(6).toString('hex')}`;
  return {
    open: () => open(database),
    opener: { module: new URL('open-mongo.ts', import.meta.url).href, at: database },
    destroy: () => dropDatabase(database),
  };
});

describe('The read store in MongoDB alone', () => {
  const logger = pino({ level: 'silent' });
  let database: string;
  let store: ReadStore;
  let id: string;
  let writer: GenerationWriter;

  beforeEach(async () => {
    database = `alone-${randomBytes(6).toString('hex')}`;
    store = await open(database);
    id = (await store.create('1', 1)).id;
    writer = await store.openWriter(id);
  });

  afterEach(async () => {
    await store.close();
    await dropDatabase(database);
  });

  it('commits batches of which no document of MongoDB could hold the images', async () => {
    const bodies = ['a', 'b', 'c', 'd'].map((key) => key.repeat(5 * 1024 * 1024));
    const documents = bodies.map((body, n) => documentOf(`d${n}`, body, [entry('l', `${n}`)]));
    expect(await writer.commit(batchOf(0, 1, documents))).to.equal('committed');
    const last = await store.view(
      async (view) => [await view.get('holder', 'd3'), (await view.page('l', 3, 9)).items[0]] as const,
    );
    for (const body of [last?.[0]?.body, last?.[1]])
      expect(body?.equals(documents[3]?.body ?? Buffer.alloc(0))).to.equal(true);
  });

  it('refuses what MongoDB cannot hold, and what makes no sense, before it writes anything', async () => {
    await writer.commit(batchOf(0, 1, [documentOf('a', 'a', [entry('l', 'k')])]));
    for (const [code, kind, documents] of [
      ['DOCUMENT_SIZE', InvalidInputError, [documentOf('b', 'x'.repeat(8 * 1024 * 1024))]],
      ['BATCH_REFUSED', InvalidInputError, [documentOf('b', 1), documentOf('b', 2)]],
      ['BATCH_REFUSED', InvalidInputError, [documentOf('b', null, [entry('l', 'b')])]],
      ['SORT_KEY_TAKEN', FatalError, [documentOf('b', 1, [entry('l', 'k')])]],
    ] as const) {
      const error = await rejection(writer.commit(batchOf(1, 2, [documentOf('c', 1), ...documents])));
      expect(error).to.be.instanceOf(kind).with.property('code', code);
      expect((await writer.checkpoint(0)).offset).to.equal(1);
      expect(await writer.load([documentOf('c', 1)])).to.deep.equal([undefined]);
    }
    const nowhere = await rejection(writer.checkpoint(1));
    expect(nowhere).to.be.instanceOf(InvalidInputError).with.property('code', 'PARTITION_UNKNOWN');
  });

  it('refuses a view that is used after its read', async () => {
    const view = await store.view(async (each) => each);
    expect(await rejection(view?.list('l') ?? Promise.resolve())).to.be.instanceOf(Error);
  });

  it('removes the collections of a dropped generation, and of one whose drop was cut short', async () => {
    const others = [await store.create('2', 1), await store.create('3', 1)];
    for (const each of [id, ...others.map((other) => other.id)])
      await (await store.openWriter(each)).commit(batchOf(0, 1, [documentOf('a', 1, [entry('l', 'a')])]));
    const [cut, dropped] = others.map((other) => other.id);
    const doomed = openFaulty(process.env['MONGODB_URL'] ?? '', database);
    // The catalogue is read and changed, then the process ends.
    doomed.connection.decide = (call) => (call > 2 ? 'fails' : 'done');
    expect(await rejection(doomed.store.drop(cut ?? ''))).to.be.instanceOf(RetryableError);
    await doomed.store.close();
    expect((await collectionsOf(database)).some((name) => name.startsWith(`${cut}_`))).to.equal(true);
    await store.drop(dropped ?? '');
    const kept = ['batches', 'documents', 'lists', 'nodes'].map((name) => `${id}_${name}`);
    expect(await collectionsOf(database)).to.deep.equal([...kept, 'generations']);
    expect((await writer.checkpoint(0)).offset).to.equal(1);
  });

  it('begins a view again whose generation was dropped in the middle of it', async () => {
    const second = await store.create('2', 1);
    for (const each of [id, second.id])
      await (await store.openWriter(each)).commit(batchOf(0, 1, [documentOf('a', each)]));
    const seen = await store.view(async (view) => {
      if (view.generation.id === id) {
        await store.promote(second.id);
        await store.drop(id);
      }
      return (await view.get('holder', 'a'))?.body.toString();
    });
    expect(seen).to.equal(JSON.stringify(second.id));
  });

  it('writes to the disks of a majority and reads from the primary, whatever the URL says', async () => {
    const lax = 'w=1&journal=false&wtimeoutMS=5&readPreference=secondary&readConcernLevel=available';
    const client = connectMongo(`mongodb://127.0.0.1:1/?${lax}&retryWrites=true&promoteBuffers=false`);
    for (const [decides, level] of [
      [true, 'majority'],
      [false, 'local'],
    ] as const) {
      const collection = collectionOf(client, database, 'any', decides);
      expect(collection.writeConcern).to.deep.include({ w: 'majority', journal: true });
      expect(collection.writeConcern).not.to.have.property('wtimeoutMS');
      expect(collection.readConcern).to.have.property('level', level);
      expect(collection.readPreference).to.have.property('mode', 'primary');
    }
    expect(client.options).to.include({ retryWrites: false, promoteBuffers: true });
    await client.close();
  });

  it('tells that there is no server, and no password', async () => {
    const url = 'mongodb://user:hush%2Fhush@127.0.0.1:1/';
    const nowhere = await openMongoReadStore({ url, database, logger });
    const error = (await rejection(nowhere.generations())) as Error;
    await nowhere.close();
    expect(error).to.be.instanceOf(RetryableError).with.property('code', 'STORE_UNAVAILABLE');
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.to.match(/hush/);
    const invalid = 'mongodb://user:hush/hush@127.0.0.1/';
    const refused = (await rejection(openMongoReadStore({ url: invalid, database, logger }))) as Error;
    expect(refused).to.be.instanceOf(FatalError).with.property('code', 'MONGODB_URL_INVALID');
    expect(refused.message).not.to.contain('hush');
  });
});
