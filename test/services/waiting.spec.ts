import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { type Program, runProgram } from '../service/process.ts';
import { given } from './deployment.ts';
import { startMongo } from './servers/mongo.ts';
import type { Server } from './servers/server.ts';

describe('a role that starts before one of its servers', function () {
  this.timeout(2 * 60_000);
  let mongo: Server;
  let started: Program | undefined;
  let settings: Record<string, string>;

  before(async () => {
    mongo = await startMongo();
    const name = `waiting-${randomUUID().slice(0, 8)}`;
    settings = {
      ...given(),
      MONGODB_URL: mongo.url,
      KAFKA_PREFIX: name,
      MONGODB_DATABASE: name,
      OPS_PORT: '0',
    };
    await mongo.kill();
  });
  afterEach(async () => {
    await started?.end('SIGKILL');
  });
  after(() => mongo.stop());

  it('goes on once the server is there', async () => {
    const projector = await waiting();
    await mongo.start();
    await projector.line(/^Status page/);
    expect(await projector.end('SIGTERM')).to.equal(0);
    await mongo.kill();
  });

  it('ends with 0 where it is asked to end while it waits', async () => {
    expect(await (await waiting()).end('SIGTERM')).to.equal(0);
  });

  /** A projector that has begun to wait. */
  async function waiting(): Promise<Program> {
    const projector = runProgram('cli.ts', ['project'], settings);
    started = projector;
    await pause(5_000);
    expect([projector.process.exitCode, projector.output()]).to.deep.equal([null, '']);
    return projector;
  }
});
