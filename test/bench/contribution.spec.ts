import { Cell } from '@ton/core';
import { expect } from 'chai';
import { chainTransaction } from '../../shared/chain/transaction.ts';
import type { LogRecord, MessageHeader } from '../../shared/event-log/record.ts';
import { numbers } from '../conformance/facts.ts';
import { openCampaignLab } from '../devnet/campaign-lab.ts';
import { contribution } from './contribution.ts';
import { contributions } from './contributions.ts';
import { withRawTransaction } from './raw-transaction.ts';

const BLOCK = { workchain: 0, shard: '-9223372036854775808', seqno: 1 };

type Looks = Pick<ReturnType<typeof chainTransaction>, 'in' | 'out' | 'init' | 'success' | 'boc'>;

const messageLooks = ({ opcode, body, init }: MessageHeader) => ({
  opcode,
  bits: Cell.fromBase64(body).bits.length,
  deploys: init !== null,
});

/** What reading and parsing it costs depends on; amounts and addresses may differ. */
function looksOf({ in: received, out, init, success, boc }: Looks) {
  return {
    in: received && messageLooks(received),
    out: out.map(messageLooks),
    deployed: init !== null,
    success,
    cells: cellsOf(Cell.fromBase64(boc)).size,
  };
}

function cellsOf(cell: Cell, cells = new Set<string>()): Set<string> {
  cells.add(cell.hash().toString('hex'));
  for (const ref of cell.refs) cellsOf(ref, cells);
  return cells;
}

const bytesOf = ({ boc }: { boc: string }) => Buffer.from(boc, 'base64').length;

describe('bench: contributions', () => {
  it('look as the campaigns and helpers of the devnet execute them, a first one and a later one', async () => {
    const lab = await openCampaignLab();
    const campaign = await lab.start();
    const helper = campaign.helperOf(lab.alice.address).toRawString();
    const tracked = new Set([campaign.address.toRawString(), helper]);
    for (const first of [true, false]) {
      const steps = await lab.trace(() => campaign.contribute(lab.alice, 1_000_000_000n));
      const executed = steps
        .filter(({ account }) => tracked.has(account))
        .map(({ account, transaction }) => chainTransaction(account, BLOCK, transaction));
      const made = [...contribution(1, 1, first, 1000)].filter((record) => record.type === 'transaction');
      expect(executed).to.have.lengthOf(3);
      expect(made.map(withRawTransaction).map((record) => looksOf(record as Looks))).to.deep.equal(
        executed.map(looksOf),
      );
      for (const [index, each] of executed.entries())
        expect(bytesOf(made[index] as Looks) / bytesOf(each)).to.be.within(0.97, 1.03);
    }
    await lab.close();
  });

  it('are of the same kinds in the same shares, however many there are', () => {
    const [few, many] = [2100, 21_000].map((count) => sharesOf([...contributions(count)], count));
    for (const [kind, share] of Object.entries(few ?? {})) expect(many?.[kind]).to.be.closeTo(share, 0.01);
    expect(few?.['account']).to.be.closeTo(1 / 7, 0.01);
  });

  it('go to helpers of any age, where they are not their first', () => {
    const ages = new Map<string, number>();
    const again: number[] = [];
    for (const record of contributions(70_000)) {
      if (record.type === 'account' && record.kind === 'helper') ages.set(record.account, ages.size);
      if (record.type === 'transaction' && record.kind === 'helper' && !record.init)
        again.push((ages.get(record.account) ?? Number.NaN) / ages.size);
    }
    const last = again.slice(-1000).map((age) => Math.floor(10 * age));
    const tenths = numbers(0, 10).map((tenth) => last.filter((each) => each === tenth).length / last.length);
    for (const share of tenths) expect(share).to.be.closeTo(0.1, 0.04);
  });
});

/** Of discoveries, and of what each kind of account has done. */
function sharesOf(records: LogRecord[], count: number): Record<string, number> {
  expect(records).to.have.lengthOf(count);
  const shares: Record<string, number> = {};
  for (const record of records) {
    const kind = record.type === 'transaction' ? record.kind : record.type;
    shares[kind] = (shares[kind] ?? 0) + 1 / count;
  }
  return shares;
}
