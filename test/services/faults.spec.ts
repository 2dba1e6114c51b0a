import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { undisturbedDigest, untilDigest } from '../service/digest.ts';
import type { Program } from '../service/process.ts';
import { type Deployment, deploy } from './deployment.ts';
import { startKafka } from './servers/kafka.ts';
import { startMongo } from './servers/mongo.ts';
import { startRedis } from './servers/redis.ts';
import type { Server } from './servers/server.ts';

/** Blocks of the story a second: slow enough for the faults to fall into it. */
const PACE = 60;
const FAULTS = 6;
/** Beyond this a consumer group takes a silent member for gone. */
const SESSION_MS = 30_000;

/** What runs while the story is told. */
interface Scene {
  deployment: Deployment;
  servers: Record<'kafka' | 'mongo' | 'redis', Server>;
  indexer: Program;
  projectors: Program[];
}

/** Each fault, done once at a random moment. */
const faults: Record<string, (scene: Scene, turn: number) => Promise<void>> = {
  'kill -9 of the broker': ({ servers }) => restarted(servers.kafka),
  'kill -9 of the store': ({ servers }) => restarted(servers.mongo),
  'kill -9 of Redis': ({ servers }) => restarted(servers.redis),
  'kill -9 of the indexer': async (scene) => {
    await scene.indexer.end('SIGKILL');
    scene.indexer = scene.deployment.start('index');
  },
  'kill -9 of each of three projectors': ({ deployment, projectors }, turn) =>
    replaced(deployment, projectors, turn, 'SIGKILL'),
  'projectors that come and go, the partitions with them': ({ deployment, projectors }, turn) =>
    replaced(deployment, projectors, turn, 'SIGTERM'),
  'a projector that sleeps past its session and wakes up': async ({ projectors }, turn) => {
    // Once is enough: it takes as long as a session.
    if (turn > 0) return;
    const sleeper = projectors[0] as Program;
    sleeper.process.kill('SIGSTOP');
    await pause(SESSION_MS + 5_000);
    sleeper.process.kill('SIGCONT');
  },
};

describe('faults of the distributed set-up, each ending with the digest of an undisturbed run', function () {
  this.timeout(10 * 60_000);
  let servers: Scene['servers'];
  let wanted: string;

  before(async () => {
    wanted = await undisturbedDigest();
    const [kafka, mongo, redis] = await Promise.all([startKafka(), startMongo(), startRedis()]);
    servers = { kafka, mongo, redis };
  });
  after(() => Promise.all(Object.values(servers).map((server) => server.stop())));

  for (const [name, happens] of Object.entries(faults))
    it(name, async () => {
      const { kafka, mongo, redis } = servers;
      const names = { KAFKA_BROKERS: kafka.url, MONGODB_URL: mongo.url, REDIS_URL: redis.url };
      const deployment = await deploy(names, { pace: PACE });
      const projectors = [0, 1, 2].map(() => deployment.start('project'));
      const scene: Scene = { deployment, servers, indexer: deployment.start('index'), projectors };
      try {
        await Promise.all([scene.indexer, ...projectors].map((program) => program.line(/^Status page/)));
        for (let turn = 0; turn < FAULTS; turn++) {
          await pause(1000 + Math.random() * 2000);
          await happens(scene, turn);
        }
        expect(await untilDigest(deployment.settings, wanted)).to.equal(wanted);
        for (const program of [scene.indexer, ...projectors])
          expect(program.process.exitCode, 'a role that has given up').to.equal(null);
      } finally {
        await deployment.close();
      }
    });
});

async function restarted(server: Server): Promise<void> {
  await server.kill();
  await pause(Math.random() * 1000);
  await server.start();
}

async function replaced(
  deployment: Deployment,
  projectors: Program[],
  turn: number,
  signal: NodeJS.Signals,
): Promise<void> {
  const place = turn % projectors.length;
  await projectors[place]?.end(signal);
  projectors[place] = deployment.start('project');
}
