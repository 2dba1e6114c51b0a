import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import pino from 'pino';
import { deadLettersOf } from '../../projector/dead-letters.ts';
import { generationDigest, project } from '../../projector/run.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { openEmbeddedReadStore } from '../../shared/read-store/embedded.ts';
import type { GenerationWriter, ReadStore } from '../../shared/read-store/read-store.ts';
import { addressOf, daoStatus } from './chain-of-facts.ts';
import { batchesOf } from './log-in-memory.ts';
import {
  burned,
  DAO,
  foundation,
  histories,
  MINTER,
  minted,
  proposal,
  proposalOf,
  received,
  sendBounced,
  sent,
  voted,
  walletDiscovered,
  walletOf,
} from './story.ts';

const silent = pino({ level: 'silent' });

describe('projecting', () => {
  let folder: string;
  let store: ReadStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'projecting-'));
    store = await openEmbeddedReadStore(folder);
  });

  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  async function projected(records: LogRecord[], sizes = [1000], wrap = (w: GenerationWriter) => w) {
    const { id } = await store.create('test', 1);
    const writer = await store.openWriter(id);
    for (const batch of batchesOf(records, sizes)) await project(batch, wrap(writer), silent);
    return { id, writer, digest: await generationDigest(writer, 1) };
  }

  async function read(id: string, model: string, key: string): Promise<unknown> {
    const document = await store.view((view) => view.get(model, key), id);
    return document && JSON.parse(document.body.toString());
  }

  async function listed(id: string, list: string): Promise<{ total: number; items: unknown[] }> {
    const page = await store.view((view) => view.page(list, 0, 1000), id);
    return { total: page?.total ?? -1, items: page?.items.map((item) => JSON.parse(item.toString())) ?? [] };
  }

  it('joins a DAO with its minter', async () => {
    const { id } = await projected([...foundation(), minted('a', 70n, 3), minted('b', 30n, 4)]);
    expect(await read(id, 'dao', DAO)).to.deep.equal({
      address: DAO,
      owner_address: addressOf('founder'),
      name: 'Test DAO',
      jetton_address: MINTER,
      jetton_metadata: { name: 'Governance', symbol: 'GP' },
      success_percentage: 50.5,
      total_supply: '100',
      date_create: '2023-11-14T22:13:22Z',
      plugins: [],
      crowdfunding_status: 'legacy',
    });
  });

  it('lists holders by balance, then owner; one with nothing left drops out', async () => {
    const { id } = await projected([
      ...foundation(),
      ...['a', 'b', 'c', 'd'].map(walletDiscovered),
      received('a', 5n, 10),
      received('b', 7n, 11),
      received('c', 5n, 12),
      received('d', 9n, 13),
      burned('d', 9n, 14),
    ]);
    const { total, items } = await listed(id, `holders/${DAO}`);
    const sameBalance = [addressOf('a'), addressOf('c')].sort();
    expect(total).to.equal(3);
    expect(items.map((item) => (item as { owner_address: string }).owner_address)).to.deep.equal([
      addressOf('b'),
      ...sameBalance,
    ]);
  });

  it('gives a balance back where a transfer bounced', async () => {
    const { id } = await projected([
      ...foundation(),
      walletDiscovered('a'),
      received('a', 5n, 10),
      sent('a', 4n, 11),
      sendBounced('a', 4n, 12),
    ]);
    const { items } = await listed(id, `holders/${DAO}`);
    expect(items).to.deep.equal([
      { jetton_wallet_address: walletOf('a'), owner_address: addressOf('a'), balance: '5' },
    ]);
  });

  it('rounds success_amount up, adds votes, and shows the one that was accepted as executed', async () => {
    const { id } = await projected([
      ...foundation(),
      ...proposal(1, 101n, 10),
      voted(1, 'a', 2n, 20),
      voted(1, 'b', 50n, 21, true),
      ...proposal(2, 101n, 30),
    ]);
    const { items } = await listed(id, `proposals/${DAO}`);
    expect(items.map((item) => (item as { proposal_id: number }).proposal_id)).to.deep.equal([2, 1]);
    expect(items[1]).to.include({
      status: 'executed',
      success_amount: '52',
      current_amount: '52',
      type: 'text',
    });
    expect(items[0]).to.include({ status: 'active', current_amount: '0', total_supply: '101' });
    const votes = await listed(id, `votes/${DAO}/${proposalOf(1)}`);
    expect(votes.items.map((vote) => (vote as { amount: string }).amount)).to.deep.equal(['50', '2']);
    expect((await listed(id, `undecided/${DAO}`)).total).to.equal(1);
  });

  it('shows a proposal whose snapshot has not come as mine', async () => {
    const { id } = await projected([...foundation(), ...proposal(1, 5n, 10).slice(0, 2)]);
    expect(await read(id, 'proposals', `${DAO}/${proposalOf(1)}`)).to.include({
      status: 'mine',
      total_supply: '0',
      success_amount: '0',
    });
  });

  it('serves a DAO as live only once it is complete', async () => {
    const { id, writer } = await projected(foundation());
    expect(await read(id, 'dao_state', DAO)).to.deep.equal({ state: 'backfilling' });
    const [batch] = batchesOf([...foundation(), daoStatus(DAO, 'complete')], [1000]);
    if (!batch) throw new Error('no batch');
    const { records } = batch;
    await project({ ...batch, from: 5, records: records.slice(5) }, writer, silent);
    expect(await read(id, 'dao_state', DAO)).to.deep.equal({ state: 'live' });
  });

  it('shows a DAO as degraded while the chain of an account cannot be followed', async () => {
    const facts = [...foundation(), daoStatus(DAO, 'complete'), daoStatus(DAO, 'stalled')];
    expect(await read((await projected(facts)).id, 'dao_state', DAO)).to.deep.equal({ state: 'degraded' });
    const healed = await projected([...facts, daoStatus(DAO, 'complete')]);
    expect(await read(healed.id, 'dao_state', DAO)).to.deep.equal({ state: 'live' });
  });

  it('parks a record that cannot be folded with what follows in its account; the rest goes on', async () => {
    const { id } = await projected(
      [
        ...foundation(),
        daoStatus(DAO, 'complete'),
        walletDiscovered('a'),
        walletDiscovered('b'),
        burned('a', 1n, 10),
        received('a', 5n, 11),
        received('b', 7n, 12),
      ],
      [3],
    );
    const dead = await listed(id, deadLettersOf(0));
    expect(dead.items).to.have.length(2);
    expect(dead.items[0]).to.include({ partition: 0, offset: 8, account: walletOf('a') });
    expect((dead.items[0] as { error: string }).error).to.match(/would be negative/);
    expect((dead.items[1] as { error: string }).error).to.match(/waits for the record at offset 8/);
    expect((await listed(id, `holders/${DAO}`)).total).to.equal(1);
    expect(await read(id, 'dao_state', DAO)).to.deep.equal({ state: 'degraded' });
  });

  it('starts an account afresh that is discovered again', async () => {
    const { id } = await projected([
      ...foundation(),
      daoStatus(DAO, 'complete'),
      walletDiscovered('a'),
      burned('a', 1n, 10),
      walletDiscovered('a'),
      received('a', 5n, 11),
    ]);
    expect((await listed(id, `holders/${DAO}`)).total).to.equal(1);
    expect(await read(id, 'dao_state', DAO)).to.deep.equal({ state: 'live' });
  });

  it('gives the same bytes whatever the batch sizes', async () => {
    await fc.assert(
      fc.asyncProperty(
        histories,
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        async (chains, sizes) => {
          const records = chains.flat();
          const whole = await projected(records);
          const cut = await projected(records, sizes);
          expect(cut.digest).to.equal(whole.digest);
          expect(whole.digest).to.not.match(/^0+$/);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('gives the same bytes whatever the order of accounts against each other', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.infiniteStream(fc.nat()), async (chains, turns) => {
        const inOrder = await projected(chains.flat());
        const shuffled = await projected(interleaved(chains, turns));
        expect(shuffled.digest).to.equal(inOrder.digest);
      }),
      { numRuns: 25 },
    );
  });

  it('loses and doubles nothing where commits fail before or after they took effect', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.infiniteStream(fc.nat(3)), async (chains, faults) => {
        const records = chains.flat();
        const { digest } = await projected(records);
        const { id } = await store.create('test', 1);
        const writer = await store.openWriter(id);
        const faulty: GenerationWriter = { ...bound(writer), commit: failing(writer, faults) };
        await untilProjected(records, writer, faulty);
        expect(await generationDigest(writer, 1)).to.equal(digest);
      }),
      { numRuns: 25 },
    );
  });
});

/** Picks the next record from any chain, so that only the order within a chain stays. */
function interleaved(chains: LogRecord[][], turns: Iterator<number>): LogRecord[] {
  const left = chains.map((chain) => [...chain]).filter((chain) => chain.length > 0);
  const records: LogRecord[] = [];
  while (left.length > 0) {
    const index = turns.next().value % left.length;
    records.push(left[index]?.shift() as LogRecord);
    if (left[index]?.length === 0) left.splice(index, 1);
  }
  return records;
}

function bound(writer: GenerationWriter): GenerationWriter {
  return {
    checkpoint: (partition) => writer.checkpoint(partition),
    load: (keys) => writer.load(keys),
    commit: (batch) => writer.commit(batch),
    documents: (model) => writer.documents(model),
    close: () => writer.close(),
  };
}

function failing(writer: GenerationWriter, faults: Iterator<number>): GenerationWriter['commit'] {
  return async (batch) => {
    const fault = faults.next().value;
    if (fault === 0) throw new Error('failed before it took effect');
    const outcome = await writer.commit(batch);
    if (fault === 1) throw new Error('failed after it took effect');
    return outcome;
  };
}

/** What a follower does: reads on from the checkpoint whenever a batch failed. */
async function untilProjected(records: LogRecord[], writer: GenerationWriter, faulty: GenerationWriter) {
  for (;;) {
    const { offset } = await writer.checkpoint(0);
    if (offset >= records.length) return;
    const stored = records
      .slice(offset, offset + 3)
      .map((record, index) => ({ partition: 0, offset: offset + index, record }));
    const batch = { partition: 0, from: offset, to: offset + stored.length, records: stored, asOf: null };
    await project(batch, faulty, silent).catch(() => {});
  }
}
