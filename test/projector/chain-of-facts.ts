import { createHash } from 'node:crypto';
import { Address, beginCell, type Cell } from '@ton/core';
import type { ContractKind } from '../../shared/contracts/contract-kind.ts';
import { registeredCodes } from '../../shared/contracts/registry.ts';
import type {
  AccountRecord,
  DaoRecord,
  DeployedState,
  MessageHeader,
  TransactionRecord,
} from '../../shared/event-log/record.ts';

/** A raw address that is made of a name. */
export function addressOf(name: string): string {
  return `0:${createHash('sha256').update(name).digest('hex')}`;
}

export const parsed = (name: string): Address => Address.parse(addressOf(name));

export const base64 = (cell: Cell): string => cell.toBoc().toString('base64');

/** The hash of the oldest registered code of a kind. */
export function codeHashOf(kind: ContractKind): string | null {
  return registeredCodes().find((code) => code.kind === kind)?.codeHash ?? null;
}

interface Transacted {
  dao: string;
  account: string;
  kind: ContractKind;
  lt: number;
  /** Who sent the message, and what it carries. */
  from?: string;
  body?: Cell;
  init?: DeployedState;
  out?: { to: string; body: Cell; init?: DeployedState }[];
  deployedWith?: Cell;
  bounced?: boolean;
  success?: boolean;
  now?: number;
}

/** A transaction as the indexer logs it; its raw cell, which no fold reads, is left empty. */
export function transaction(facts: Transacted): TransactionRecord {
  const { dao, account, kind, lt, body = beginCell().endCell(), out = [], deployedWith } = facts;
  const codeHash = codeHashOf(kind);
  const { from = addressOf('sender'), init = null, bounced = false } = facts;
  return {
    version: 1,
    type: 'transaction',
    dao,
    account,
    kind,
    codeHash,
    lt: String(lt),
    hash: createHash('sha256').update(`${account}${lt}`).digest('hex'),
    prevLt: '0',
    prevHash: '0'.repeat(64),
    block: { workchain: 0, shard: '-9223372036854775808', seqno: lt },
    now: facts.now ?? 1_700_000_000 + lt,
    success: facts.success ?? true,
    init: deployedWith ? { codeHash: codeHash ?? '', data: base64(deployedWith) } : null,
    in: { ...message(from, account, body, lt, bounced), init },
    out: out.map((sent) => ({ ...message(account, sent.to, sent.body, lt, false), init: sent.init ?? null })),
    boc: '',
  };
}

export function discovered(
  dao: string,
  account: string,
  kind: ContractKind,
  wallet: AccountRecord['wallet'] = null,
): AccountRecord {
  const codeHash = codeHashOf(kind);
  const place = { parent: null, data: null, campaign: null, seqno: 1, now: 1_700_000_000 };
  return {
    version: 1,
    type: 'account',
    reason: 'discovered',
    dao,
    account,
    kind,
    codeHash,
    wallet,
    ...place,
  };
}

export function daoStatus(dao: string, status: DaoRecord['status']): DaoRecord {
  return { version: 1, type: 'dao', dao, account: dao, status };
}

function message(
  source: string,
  destination: string,
  body: Cell,
  lt: number,
  bounced: boolean,
): MessageHeader {
  const slice = body.beginParse().skip(bounced ? 32 : 0);
  return {
    type: 'internal',
    source,
    destination,
    value: '1000000000',
    bounced,
    opcode: slice.remainingBits >= 32 ? slice.preloadUint(32) : null,
    body: base64(body),
    lt: String(lt),
    init: null,
  };
}
