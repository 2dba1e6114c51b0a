import type { ContractKind } from '../../shared/contracts/contract-kind.ts';
import { eventsOf, messageName, unknownOpcode } from '../../shared/contracts/decode-record.ts';
import { readerOf } from '../../shared/contracts/registry.ts';
import type {
  AccountRecord,
  CampaignFacts,
  DaoRecord,
  JettonMetadataRecord,
  StoredRecord,
  TransactionRecord,
} from '../../shared/event-log/record.ts';
import { isoTime } from '../../shared/iso-time.ts';

/** A decoded event with its place, as one line of NDJSON holds it. What each column means: row-schema.ts. */
export interface EventRow {
  partition: number;
  offset: number;
  index: number;
  dao: string;
  account: string;
  kind: ContractKind;
  code_hash: string | null;
  contract_version: string | null;
  event: string;
  lt: string | null;
  hash: string | null;
  block_workchain: number | null;
  block_shard: string | null;
  block_seqno: number | null;
  time: string | null;
  success: boolean | null;
  source: string | null;
  value: string | null;
  data: object;
}

interface Told {
  event: string;
  data: object;
}

/** Events that tell no more than that a record is there; left out unless they are asked for. */
export const quietEvents: readonly string[] = ['failed', 'no_event'];

const MASTERCHAIN = { block_workchain: -1, block_shard: '-9223372036854775808' };

/** The rows of one record, at least one, in the order of the events that it tells. */
export function rowsOf(stored: StoredRecord): EventRow[] {
  const { partition, offset, record } = stored;
  const { dao, account } = record;
  const codeHash = 'codeHash' in record ? record.codeHash : null;
  const kind = record.type === 'dao' ? 'dao' : record.kind;
  const told = record.type === 'transaction' ? toldBy(record) : [factOf(record)];
  return told.map(({ event, data }, index) => ({
    partition,
    offset,
    index,
    dao,
    account,
    kind,
    code_hash: codeHash,
    contract_version: codeHash === null ? null : (readerOf(kind, codeHash)?.version ?? null),
    event,
    ...(record.type === 'transaction' ? transactionColumns(record) : factColumns(record)),
    data,
  }));
}

function toldBy(record: TransactionRecord): Told[] {
  if (!record.success) return [{ event: 'failed', data: messageOf(record) }];
  try {
    const told: Told[] = eventsOf(record).map(({ type, ...data }) => ({ event: type, data }));
    if (unknownOpcode(record) !== null) told.push({ event: 'unknown', data: messageOf(record) });
    return told.length > 0 ? told : [{ event: 'no_event', data: messageOf(record) }];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ event: 'undecodable', data: { ...messageOf(record), reason } }];
  }
}

function messageOf(record: TransactionRecord): object {
  const { in: received } = record;
  const opcode = received?.opcode ?? null;
  return {
    message: messageName(record),
    opcode: opcode === null ? null : `0x${opcode.toString(16).padStart(8, '0')}`,
    bounced: received?.bounced ?? false,
    body: received?.body ?? null,
  };
}

function factOf(record: AccountRecord | JettonMetadataRecord | DaoRecord): Told {
  if (record.type === 'dao') return { event: 'dao_status', data: { status: record.status } };
  if (record.type === 'jetton_metadata') {
    const { uri, metadata } = record;
    return { event: 'jetton_metadata', data: { uri, metadata } };
  }
  if (record.reason === 'code_changed') return { event: 'code_changed', data: {} };
  const { parent, wallet, campaign } = record;
  const data = { parent, wallet, campaign: campaign && campaignData(campaign) };
  return { event: 'discovered', data };
}

function campaignData({ address, name, lpMinter, currency }: CampaignFacts): object {
  return { address, name, lp_minter: lpMinter, currency };
}

function transactionColumns({ lt, hash, block, now, success, in: received }: TransactionRecord) {
  return {
    lt,
    hash,
    block_workchain: block.workchain,
    block_shard: block.shard,
    block_seqno: block.seqno,
    time: isoTime(now),
    success,
    source: received?.source ?? null,
    value: received?.value ?? null,
  };
}

function factColumns(record: AccountRecord | JettonMetadataRecord | DaoRecord) {
  const seen = record.type === 'account';
  return {
    lt: null,
    hash: null,
    ...(seen ? MASTERCHAIN : { block_workchain: null, block_shard: null }),
    block_seqno: seen ? record.seqno : null,
    time: seen ? isoTime(record.now) : null,
    success: null,
    source: null,
    value: null,
  };
}
