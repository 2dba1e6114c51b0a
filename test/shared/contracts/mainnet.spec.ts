import { Address, beginCell, Cell, loadTransaction, type Message } from '@ton/core';
import { expect } from 'chai';
import { chainTransaction } from '../../../shared/chain/transaction.ts';
import { type ContractVersion, decodeTransaction } from '../../../shared/contracts/contract-version.ts';
import { jettonBurn } from '../../../shared/contracts/jetton/burn.ts';
import { jettonBurnNotification } from '../../../shared/contracts/jetton/burn-notification.ts';
import { excesses } from '../../../shared/contracts/jetton/excesses.ts';
import { jettonInternalTransfer } from '../../../shared/contracts/jetton/internal-transfer.ts';
import { provideWalletAddress } from '../../../shared/contracts/jetton/provide-wallet-address.ts';
import { takeWalletAddress } from '../../../shared/contracts/jetton/take-wallet-address.ts';
import { jettonTransfer } from '../../../shared/contracts/jetton/transfer.ts';
import { jettonTransferNotification } from '../../../shared/contracts/jetton/transfer-notification.ts';
import type { MessageSchema } from '../../../shared/contracts/message-schema.ts';
import { readerOf } from '../../../shared/contracts/registry.ts';
import { realTransactions } from '../../fixtures/mainnet-transactions.ts';

const schemas = [
  jettonTransfer,
  jettonInternalTransfer,
  jettonTransferNotification,
  excesses,
  jettonBurn,
  jettonBurnNotification,
  provideWalletAddress,
  takeWalletAddress,
] as unknown as MessageSchema<unknown>[];

const schemaOf = new Map(schemas.map((schema) => [schema.opcode, schema]));

describe('TEP-74 and TEP-89 messages of mainnet', () => {
  it('are read and written again to the same cells', () => {
    const seen = new Map<string, number>();
    for (const { boc } of realTransactions()) {
      const { inMessage, outMessages } = loadTransaction(Cell.fromBase64(boc).beginParse());
      for (const message of [...(inMessage ? [inMessage] : []), ...outMessages.values()]) {
        const schema = schemaOfMessage(message);
        if (!schema) continue;
        const slice = message.body.beginParse().skip(32);
        const read = schema.load(slice);
        // Contracts in use add fields of their own to the standard's.
        const written = beginCell().store(schema.store(read)).storeSlice(slice).endCell();
        expect(written.equals(message.body), `${schema.name} in ${boc}`).to.equal(true);
        seen.set(schema.name, (seen.get(schema.name) ?? 0) + 1);
      }
    }
    for (const name of [
      'transfer',
      'internal_transfer',
      'transfer_notification',
      'excesses',
      'burn_notification',
    ])
      expect(seen.get(name), name).to.be.greaterThan(0);
  });
});

describe('every real transaction of mainnet', () => {
  it('is ingested, and decoded by the standard of jetton wallets and minters', () => {
    const seen = new Map<string, number>();
    for (const { account, boc } of realTransactions()) {
      const raw = Address.parse(account).toRawString();
      const {
        ranCode: _ran,
        keepsCode: _keeps,
        ...facts
      } = chainTransaction(
        raw,
        { workchain: 0, shard: '-9223372036854775808', seqno: 1 },
        loadTransaction(Cell.fromBase64(boc).beginParse()),
      );
      for (const kind of ['gp_wallet', 'gp_minter'] as const) {
        const record = { version: 1, type: 'transaction', dao: raw, kind, codeHash: null, ...facts } as const;
        // Their storages are of every kind; the messages are what the standard is about.
        const { deployed: _, ...reader } = readerOf(kind, null) as ContractVersion;
        for (const { type } of decodeTransaction(reader, record)) seen.set(type, (seen.get(type) ?? 0) + 1);
      }
    }
    for (const type of ['jettons_sent', 'jettons_received', 'minted', 'supply_burned'])
      expect(seen.get(type), type).to.be.greaterThan(0);
  });
});

function schemaOfMessage({ info, body }: Message): MessageSchema<unknown> | undefined {
  if (info.type === 'internal' && info.bounced) return undefined;
  const slice = body.beginParse();
  return slice.remainingBits >= 32 ? schemaOf.get(slice.preloadUint(32)) : undefined;
}
