import { Address, Cell, loadTransaction } from '@ton/core';
import { expect } from 'chai';
import { accountHashOf, chainTransaction } from '../../../shared/chain/transaction.ts';
import { realTransactions } from '../../fixtures/mainnet-transactions.ts';

const block = { workchain: 0, shard: '-9223372036854775808', seqno: 1 };

describe('the header of a transaction', () => {
  const real = realTransactions();

  it('is read from every real transaction', () => {
    const seen = new Map<string, number>();
    for (const source of real) {
      const account = Address.parse(source.account).toRawString();
      const parsed = loadTransaction(Cell.fromBase64(source.boc).beginParse());
      const header = chainTransaction(account, block, parsed);

      expect(header.hash).to.equal(Buffer.from(source.hash, 'base64').toString('hex'));
      expect(header.lt).to.equal(source.lt);
      expect(header.now).to.equal(source.now);
      expect(account).to.match(new RegExp(`:${accountHashOf(parsed)}$`));
      expect(Cell.fromBase64(header.boc).hash().toString('hex')).to.equal(header.hash);
      expect(header.out).to.have.length(parsed.outMessagesCount);
      for (const message of header.in ? [header.in, ...header.out] : header.out)
        Cell.fromBase64(message.body);
      const { type } = parsed.description;
      seen.set(type, (seen.get(type) ?? 0) + 1);
    }
    expect(seen.get('generic')).to.be.greaterThan(1000);
  });

  it('tells a bounced message by its flag and shows the opcode that bounced', () => {
    const bounced = real
      .map((source) => loadTransaction(Cell.fromBase64(source.boc).beginParse()))
      .filter(({ inMessage }) => inMessage?.info.type === 'internal' && inMessage.info.bounced);
    expect(bounced).to.not.have.length(0);
    for (const source of bounced) {
      const header = chainTransaction('0:00', block, source);
      const body = source.inMessage?.body.beginParse();
      expect(header.in?.bounced).to.equal(true);
      expect(body?.loadUint(32)).to.equal(0xffff_ffff);
      expect(header.in?.opcode).to.equal(body?.remainingBits ? body.loadUint(32) : null);
    }
  });

  it('has no success where anything was aborted or exited with an error', () => {
    for (const source of real) {
      const parsed = loadTransaction(Cell.fromBase64(source.boc).beginParse());
      const { description } = parsed;
      const { success } = chainTransaction('0:00', block, parsed);
      if ('aborted' in description && description.aborted) expect(success).to.equal(false);
      if (!('computePhase' in description) || description.computePhase.type === 'skipped') {
        expect(success).to.equal(false);
      }
    }
  });
});
