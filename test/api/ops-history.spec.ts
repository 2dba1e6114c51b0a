import { expect } from 'chai';
import { History, type HistoryColumns } from '../../api/ops/history.ts';
import type { Snapshot, StoreStatus } from '../../api/ops/snapshot.ts';
import { GENERATION, OpsFixture } from './ops-fixture.ts';

const stores = { event_log: true, read_store: true, revocation_list: true };

function snapshot(at: number, status: StoreStatus | null, headLag: number | null = 1): Snapshot {
  return { at, stores, problems: [], status, headLag };
}

/** Of one partition; `folded` is the checkpoint of each generation by id. */
function statusAt(end: number, folded: Record<string, number>): StoreStatus {
  return {
    daos: {},
    partitions: [{ partition: 0, end, seqno: 1, time: 1 }],
    generations: Object.entries(folded).map(([id, offset]) => ({
      ...GENERATION,
      id,
      checkpoints: [{ partition: 0, offset, lag: end - offset }],
    })),
  };
}

describe('the history of the ops port', () => {
  it('has the rates between two samples, of all generations together', () => {
    const history = new History(10);
    history.add(snapshot(1000, statusAt(100, { g1: 90 })));
    history.add(snapshot(3000, statusAt(110, { g1: 110 })));
    // A generation that begins, or one that is gone, is no rate.
    history.add(snapshot(4000, statusAt(110, { g1: 110, g2: 50 })));
    history.add(snapshot(5000, statusAt(111, { g1: 111, g2: 80 }), 2.5));
    history.add(snapshot(6000, statusAt(111, { g2: 111 }), null));
    expect(history.after(0)).to.deep.equal({
      at: [1000, 3000, 4000, 5000, 6000],
      headLag: [1, 1, 1, 2.5, null],
      appended: [null, 5, 0, 1, 0],
      folded: [null, 10, 0, 31, 31],
    });
  });

  it('has a gap where nothing could be read', () => {
    const history = new History(10);
    history.add(snapshot(1000, statusAt(1, {})));
    history.add(snapshot(2000, null, null));
    history.add(snapshot(3000, statusAt(9, {})));
    history.add(snapshot(4000, statusAt(10, {})));
    expect(history.after(0).appended).to.deep.equal([null, null, null, 1]);
  });

  it('keeps the last samples, takes a snapshot once, and gives those after a time', () => {
    const history = new History(3);
    for (const at of [1, 2, 3, 3, 4, 5]) history.add(snapshot(at, null));
    expect(history.after(0).at).to.deep.equal([3, 4, 5]);
    expect(history.after(4).at).to.deep.equal([5]);
    expect(history.after(5).at).to.deep.equal([]);
  });

  it('is sampled while the port is open, and not any more after', async () => {
    const ops = new OpsFixture();
    await ops.start({ sampleMs: 5 });
    const samples = async () => (await ops.json<HistoryColumns>('/history')).at.length;
    while ((await samples()) < 2);
    expect((await ops.json<HistoryColumns>(`/history?since=${Date.now() + 60_000}`)).at).to.deep.equal([]);
    await ops.server.close();
    const reads = ops.statusReads;
    // Longer than a snapshot is good for.
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(ops.statusReads).to.equal(reads);
  });
});
