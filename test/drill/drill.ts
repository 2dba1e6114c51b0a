import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Diff } from '../../projector/diff.ts';
import type { Status } from '../../projector/status.ts';
import { everyEndpoint } from '../service/paths.ts';
import { addVersion } from './add-version.ts';
import { contributeAnew, type Target, targetsOf, upgradeCampaign } from './chain.ts';
import { readInLoop } from './client.ts';
import { type Done, type Stage, setStage } from './stage.ts';

/** Nanoton of each contribution. */
const AMOUNT = 1_000_000_000n;

/**
 * The operator's day, from the upgrade of a contract to the promotion of read models that know it, and
 * back and forth. Rejects at the first thing that is not as it should be; `tell` hears of each step.
 */
export async function runDrill(tell: (line: string) => void): Promise<void> {
  const stage = await setStage((story) => targetsOf({ ...story, chainUrl: '' })[0]?.dao ?? '');
  try {
    await new Drill(stage, tell).run();
  } finally {
    await stage.close();
  }
}

class Drill {
  private readonly stage: Stage;
  private readonly tell: (line: string) => void;
  private readonly targets: Target[];
  private readonly dao: string;
  /** Nanoton in each upgraded campaign before the first contribution that the elder program cannot read. */
  private before = new Map<string, bigint>();
  /** Nanoton contributed to each since. */
  private contributed = 0n;

  constructor(stage: Stage, tell: (line: string) => void) {
    this.stage = stage;
    this.tell = tell;
    this.targets = targetsOf({ ...stage.story, chainUrl: stage.chainUrl });
    this.dao = this.targets[0]?.dao ?? '';
  }

  async run(): Promise<void> {
    const { stage, tell } = this;
    await until(async () => (await stage.ask(`daos/${this.dao}`)).ok);
    await this.caughtUp();
    this.before = await this.totals();
    const client = readInLoop(
      (path) => stage.ask(path),
      everyEndpoint(this.dao, stage.story),
      (path, body) => this.mixed(path, body),
    );
    tell('A client reads all ten endpoints of the API in a loop.');

    for (const target of this.targets) await upgradeCampaign(stage.chainUrl, target);
    tell(
      `The DAO has upgraded ${this.targets.length} campaigns to 6.2, whose contribution is another message.`,
    );
    await this.contribute();
    await this.seenUnknown();
    await this.expectOld();

    addVersion(stage.newer.folder);
    tell('One file and one line of the registry are added to a copy of the project.');
    const rebuild = stage.newer.start('rebuild');
    await rebuild.line(/is built/);
    const young = await this.ownGeneration();
    tell(`\`rebuild\` has built ${young} and follows the log.`);
    await this.expectDiff(young);

    await this.expectDone(stage.newer.command('promote', young));
    await until(() => this.shows('new'));
    tell('`promote`: the API serves it, without a restart.');
    await this.contribute();
    await until(() => this.shows('new'));
    for (const side of ['old', 'new'] as const) {
      await this.expectDone(stage.newer.command('rollback'));
      await until(() => this.shows(side));
      await this.contribute();
      await until(() => this.shows(side));
      tell(
        `\`rollback\`: the ${side === 'old' ? 'elder' : 'newer'} read models are served, and they are not stale.`,
      );
    }
    await client.stop();
    expect(client.problems(), 'answers that were wrong').to.deep.equal([]);
    tell(`The client has read ${client.reads()} answers: no error, no page of two generations.`);
  }

  /** Each wallet contributes once by the new message; returns once every generation has folded it. */
  private async contribute(): Promise<void> {
    for (const target of this.targets) await contributeAnew(this.stage.chainUrl, target, AMOUNT);
    this.contributed += AMOUNT;
    await this.caughtUp();
  }

  /** Every generation has folded the log, and the log is at the head of the chain. */
  private async caughtUp(): Promise<void> {
    const latest = await fetch(`${this.stage.chainUrl}/block/latest`);
    const { last } = (await latest.json()) as { last: { seqno: number } };
    await until(async () => {
      const { partitions, generations } = await this.status();
      return (
        partitions.every(({ seqno }) => (seqno ?? 0) >= last.seqno) &&
        generations.every(({ lag }) => lag === 0)
      );
    });
  }

  private async status(): Promise<Status> {
    return JSON.parse((await this.expectDone(this.stage.command('status', '--json'))).output) as Status;
  }

  private async seenUnknown(): Promise<void> {
    const { generations } = await this.status();
    const [unknown] = generations[0]?.unknown.filter(({ kind }) => kind === 'campaign') ?? [];
    expect(unknown, 'what the status shows of the new code').to.deep.include({ kind: 'campaign' });
    const opcodes = generations[0]?.unknown.map(({ opcode }) => opcode);
    expect(opcodes).to.include('0x1afabdf8');
    this.tell('`status` shows the code and the opcode that nobody reads, with an example.');
  }

  private async ownGeneration(): Promise<string> {
    const { output } = await this.expectDone(this.stage.newer.command('generations', '--json'));
    const own = (JSON.parse(output) as Status['generations']).find((generation) => generation.own);
    expect(own).to.include({ live: false, building: false });
    return own?.id ?? '';
  }

  private async expectDiff(young: string): Promise<void> {
    const { code, output } = await this.stage.newer.command('diff', 'live', young, '--json');
    expect(code, 'exit code of a diff').to.equal(3);
    const { models } = JSON.parse(output) as Diff;
    expect(models.map(({ model }) => model)).to.deep.equal(['campaigns']);
    const { added, removed, changed, examples } = models[0] as Diff['models'][number];
    expect({ added, removed, changed }).to.deep.equal({ added: 0, removed: 0, changed: this.targets.length });
    expect(examples.map(({ key }) => key)).to.have.members(this.targets.map(({ campaign }) => campaign));
    this.tell('`diff` shows exactly the upgraded campaigns.');
  }

  private async expectDone(command: Promise<Done>): Promise<Done> {
    const done = await command;
    expect(done.code, done.output).to.equal(0);
    return done;
  }

  private async expectOld(): Promise<void> {
    expect(await this.shows('old')).to.equal(true);
  }

  /** Whether the API shows every upgraded campaign as the elder, or as the newer program has it. */
  private async shows(side: 'old' | 'new'): Promise<boolean> {
    const more = side === 'old' ? 0n : this.contributed;
    const totals = await this.totals();
    return [...this.before].every(([campaign, total]) => totals.get(campaign) === total + more);
  }

  private async totals(): Promise<Map<string, bigint>> {
    const response = await this.stage.ask(`daos/${this.dao}/crowdfundings?limit=100`);
    return this.totalsIn(await response.json());
  }

  private totalsIn(page: unknown): Map<string, bigint> {
    const { items } = page as { items: { address: string; totalAmount: string }[] };
    const upgraded = items.filter(({ address }) => this.targets.some(({ campaign }) => campaign === address));
    return new Map(upgraded.map(({ address, totalAmount }) => [address, BigInt(totalAmount)]));
  }

  /** What is wrong with a page: some of its campaigns are of one generation, some of another. */
  private mixed(path: string, body: unknown): string | undefined {
    if (!path.includes('/crowdfundings')) return undefined;
    const moved = [...this.totalsIn(body)].map(([campaign, total]) => total !== this.before.get(campaign));
    return new Set(moved).size > 1 ? `${path}: a page of two generations` : undefined;
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(100);
}
