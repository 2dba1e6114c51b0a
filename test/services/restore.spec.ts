import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { undisturbedDigest, untilDigest } from '../service/digest.ts';
import { runProgram } from '../service/process.ts';
import { type Deployment, deploy, given } from './deployment.ts';
import { startKafka } from './servers/kafka.ts';
import { startRedis } from './servers/redis.ts';
import type { Server } from './servers/server.ts';

describe('backup and restore of the distributed set-up', function () {
  this.timeout(10 * 60_000);
  let folder: string;
  let kafka: Server;
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let deployment: Deployment;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'restore-'));
    [kafka, redis] = await Promise.all([startKafka(), startRedis()]);
    deployment = await deploy({ ...given(), KAFKA_BROKERS: kafka.url, REDIS_URL: redis.url });
  });
  after(async () => {
    await deployment.close();
    await Promise.all([kafka.stop(), redis.stop()]);
    await rm(folder, { recursive: true });
  });

  it("comes back from the broker's files and the list of revoked tokens alone, everything else lost", async () => {
    const wanted = await undisturbedDigest();
    const roles = [deployment.start('index'), deployment.start('project')];
    expect(await untilDigest(deployment.settings, wanted)).to.equal(wanted);
    const dao = deployment.story.daos[0]?.address ?? '';
    const [kept, revoked] = [await command('token', 'issue', dao), await command('token', 'issue', dao)];
    await command('token', 'revoke', revoked);

    const list = join(folder, 'revoked.json');
    await writeFile(list, await command('token', 'list', '--json'));
    for (const role of roles) expect(await role.end('SIGTERM')).to.equal(0);
    await kafka.kill();
    await cp(kafka.folder, join(folder, 'kafka'), { recursive: true });

    await rm(kafka.folder, { recursive: true });
    await redis.lose();
    const lost = deployment.settings['MONGODB_DATABASE'] ?? '';
    deployment.settings['MONGODB_DATABASE'] = `${lost}-anew`;

    await cp(join(folder, 'kafka'), kafka.folder, { recursive: true });
    await kafka.start();
    const setup = runProgram('cli.ts', ['token', 'setup'], deployment.settings);
    expect(await setup.ended, 'setup does not make a lost list anew').to.equal(1);
    await command('token', 'restore', list);
    deployment.start('project');
    expect(await untilDigest(deployment.settings, wanted)).to.equal(wanted);
    const { url } = await deployment.serve();
    const ask = (token: string) =>
      fetch(`${url}/api/v1/daos/${dao}`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask(kept)).status).to.equal(200);
    expect((await ask(revoked)).status).to.equal(401);
  });

  async function command(...args: string[]): Promise<string> {
    const program = runProgram('cli.ts', args, deployment.settings);
    expect(await program.ended, args.join(' ')).to.equal(0);
    return program.output().trim();
  }
});
