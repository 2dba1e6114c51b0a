import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { installJava, jarVersion } from './installed.ts';
import { dataFolder, freePort, type Server, startServer } from './server.ts';

const options = ['-Xmx512m', '-XX:+UseSerialGC', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];

/**
 * Starts a server of MongoDB's protocol that has handed to the system what it acknowledged. It is no replica set:
 * `w: 'majority'` is accepted and means this one.
 */
export async function startMongo(): Promise<Server> {
  const jars = await installJava('mongo');
  const [folder, port, version] = await Promise.all([
    dataFolder('mongo'),
    freePort(),
    jarVersion(jars, 'mongo-java-server-core'),
  ]);
  const url = `mongodb://127.0.0.1:${port}`;
  return startServer({
    name: `mongo-java-server ${version}`,
    url,
    folder,
    command: [
      'java',
      ...options,
      '-cp',
      `${jars}:${jars}/*`,
      'MongoLauncher',
      `${port}`,
      join(folder, 'data.mv'),
    ],
    answers: async () => {
      const client = new MongoClient(url, { serverSelectionTimeoutMS: 500 });
      try {
        await client.db('admin').command({ ping: 1 });
      } finally {
        await client.close();
      }
    },
  });
}
