import { expect } from 'chai';
import type { Status } from '../../projector/status.ts';
import { undisturbedDigest, untilDigest } from '../service/digest.ts';
import { runProgram } from '../service/process.ts';
import { type Deployment, deploy, given } from './deployment.ts';

describe("the operator's commands on the distributed set-up", function () {
  this.timeout(10 * 60_000);
  let deployment: Deployment;
  let wanted: string;

  before(async () => {
    wanted = await undisturbedDigest();
    deployment = await deploy(given());
    deployment.start('index');
    deployment.start('project');
    expect(await untilDigest(deployment.settings, wanted)).to.equal(wanted);
  });
  after(() => deployment.close());

  it('rebuild makes the same read models from the log alone', async () => {
    const { output } = await command('rebuild', '--until-caught-up', '--json');
    const { digest, records } = JSON.parse(output.split('\n').at(-1) ?? '') as Record<string, unknown>;
    expect(digest).to.equal(wanted);
    expect(records).to.be.greaterThan(6000);
  });

  it('diff finds no difference, and promote, rollback and drop do what they say', async () => {
    const [elder, newer] = (await generations()).map(({ id }) => id);
    expect(elder).not.to.equal(undefined);
    await command('diff', 'live', String(newer));
    await command('promote', String(newer));
    expect(await live()).to.equal(newer);
    await command('rollback');
    expect(await live()).to.equal(elder);
    await command('drop', String(newer));
    expect((await generations()).map(({ id }) => id)).to.deep.equal([elder]);
  });

  it('export writes the events of a log in Kafka, the same bytes each time', async () => {
    const [first, second] = [await command('export'), await command('export')];
    expect(second.output).to.equal(first.output);
    const contributions = first.output
      .split('\n')
      .filter((line) => line.includes('"event":"contribution_accepted"'));
    expect(contributions.length).to.be.greaterThan(500);
  });

  it('dead-letters lists none of a story that can be folded whole', async () => {
    expect(JSON.parse((await command('dead-letters', 'list', '--json')).output)).to.deep.equal([]);
  });

  async function generations(): Promise<Status['generations']> {
    return JSON.parse((await command('generations', '--json')).output) as Status['generations'];
  }

  async function live(): Promise<string | undefined> {
    return (await generations()).find((generation) => generation.live)?.id;
  }

  async function command(...args: string[]): Promise<{ output: string }> {
    const program = runProgram('cli.ts', args, deployment.settings);
    expect(await program.ended, args.join(' ')).to.equal(0);
    return { output: program.output() };
  }
});
