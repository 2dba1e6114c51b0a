import { expect } from 'chai';
import { undisturbedDigest, untilDigest } from '../service/digest.ts';
import { everyEndpoint } from '../service/paths.ts';
import { runProgram } from '../service/process.ts';
import { type Deployment, deploy, given } from './deployment.ts';

describe('the story through the distributed set-up', function () {
  this.timeout(10 * 60_000);
  let deployment: Deployment;

  before(async () => {
    deployment = await deploy(given());
  });
  after(() => deployment.close());

  it('gives the digest of the embedded one, folded by three projectors', async () => {
    deployment.start('index');
    for (let n = 0; n < 3; n++) deployment.start('project');
    const wanted = await undisturbedDigest();
    expect(await untilDigest(deployment.settings, wanted)).to.equal(wanted);
  });

  it('is served at every endpoint by each of two API processes, until the token is revoked', async () => {
    const [one, other] = [await deployment.serve(), await deployment.serve()];
    const dao = deployment.story.daos.find(({ version }) => version === '6.1')?.address ?? '';
    const token = await command('token', 'issue', dao);
    const ask = async (url: string, path: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${url}/api/v1/${path}`, { headers });
      return { status: response.status, text: await response.text() };
    };
    for (const path of everyEndpoint(dao, deployment.story)) {
      const [first, second] = [await ask(one.url, path), await ask(other.url, path)];
      expect(first.status, `${path}: ${first.text}`).to.equal(200);
      expect(second).to.deep.equal(first);
    }
    await command('token', 'revoke', token);
    for (const { url } of [one, other])
      expect(await ask(url, `daos/${dao}`)).to.deep.equal({ status: 401, text: '{"error":"revoked_token"}' });
  });

  it('ends each role with 0 when it is asked to end', async () => {
    const programs = [deployment.start('index'), deployment.start('project')];
    await Promise.all(programs.map((program) => program.line(/^Status page/)));
    expect(await Promise.all(programs.map((program) => program.end('SIGTERM')))).to.deep.equal([0, 0]);
  });

  /** What the command printed. */
  async function command(...args: string[]): Promise<string> {
    const program = runProgram('cli.ts', args, deployment.settings);
    expect(await program.ended, args.join(' ')).to.equal(0);
    return program.output().trim();
  }
});
