import { expect } from 'chai';
import { Redis } from 'ioredis';
import { CompressionTypes, type Consumer, Kafka, logLevel } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { startKafka } from './kafka.ts';
import { startMongo } from './mongo.ts';
import { startRedis } from './redis.ts';

describe('the servers of the service tests', () => {
  it('Kafka keeps through a kill what a transaction committed, and shows nothing of one that it did not', async () => {
    const server = await startKafka();
    const client = new Kafka({ brokers: [server.url], logLevel: logLevel.NOTHING });
    const admin = client.admin();
    const producer = client.producer({ transactionalId: 'writer', idempotent: true, maxInFlightRequests: 1 });
    const send = async (value: string) => {
      const transaction = await producer.transaction();
      await transaction.send({ topic: 'facts', messages: [{ value }], compression: CompressionTypes.GZIP });
      return transaction;
    };
    try {
      await admin.connect();
      await admin.createTopics({ topics: [{ topic: 'facts', numPartitions: 1 }], waitForLeaders: true });
      await producer.connect();
      await (await send('committed')).commit();
      await (await send('aborted')).abort();
      expect(await firstOf(client.consumer({ groupId: 'before' }), 1)).to.deep.equal(['committed']);

      await server.kill();
      await server.start();

      await (await send('after')).commit();
      expect(await firstOf(client.consumer({ groupId: 'after' }), 2)).to.deep.equal(['committed', 'after']);
    } finally {
      await producer.disconnect();
      await admin.disconnect();
      await server.stop();
    }
  });

  it('Kafka creates no topic by its use', async () => {
    const server = await startKafka();
    const admin = new Kafka({
      brokers: [server.url],
      logLevel: logLevel.NOTHING,
      retry: { retries: 1 },
    }).admin();
    try {
      await admin.connect();
      const answer = await admin.fetchTopicMetadata({ topics: ['none'] }).catch((error: unknown) => error);
      expect(answer).to.have.property('type', 'UNKNOWN_TOPIC_OR_PARTITION');
      expect(await admin.listTopics()).to.deep.equal([]);
    } finally {
      await admin.disconnect();
      await server.stop();
    }
  });

  it("MongoDB's protocol: a document is there after a kill", async () => {
    const server = await startMongo();
    const client = new MongoClient(server.url, { writeConcern: { w: 'majority', journal: true } });
    try {
      const documents = client.db('test').collection<{ _id: string }>('documents');
      await documents.insertOne({ _id: 'acknowledged' });
      await server.kill();
      await server.start();
      expect(await documents.find().toArray()).to.deep.equal([{ _id: 'acknowledged' }]);
    } finally {
      await client.close();
      await server.stop();
    }
  });

  it('Redis keeps through a kill what it acknowledged, and loses everything when told to', async () => {
    const server = await startRedis();
    const client = new Redis(server.url);
    client.on('error', () => {}); // the connection of the server that was killed
    try {
      await client.set('acknowledged', 'yes');
      await server.kill();
      await server.start();
      expect(await client.get('acknowledged')).to.equal('yes');
      await server.lose();
      expect(await client.get('acknowledged')).to.equal(null);
      await client.set('after', 'yes');
      await server.kill();
      await server.start();
      expect(await client.get('after')).to.equal('yes');
    } finally {
      client.disconnect();
      await server.stop();
    }
  });
});

/** The values that a new group sees from the beginning: so many, and what comes with them. */
async function firstOf(consumer: Consumer, count: number): Promise<string[]> {
  const values: string[] = [];
  await consumer.connect();
  await consumer.subscribe({ topic: 'facts', fromBeginning: true });
  await new Promise<void>((resolve) => {
    void consumer.run({
      eachMessage: async ({ message }) => {
        values.push(String(message.value));
        if (values.length === count) resolve();
      },
    });
  });
  await consumer.disconnect();
  return values;
}
