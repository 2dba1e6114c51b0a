import type { ContractKind } from '../contracts/contract-kind.ts';

/**
 * The records of the log, as any Kafka consumer reads them: one JSON object each, UTF-8, with
 * `version` 1. Addresses are raw (`0:` and 64 hex digits), hashes 64 lower-case hex digits, lt and
 * amounts decimal strings (nanoton), times unix seconds, cells base64 BOCs with one root.
 */
export type LogRecord = TransactionRecord | AccountRecord | JettonMetadataRecord | DaoRecord;

interface RecordOfDao {
  version: 1;
  /** The DAO in whose scope the fact stands; it decides the partition. */
  dao: string;
  /** The account that the fact is about. */
  account: string;
}

/** One transaction of a tracked account: a header that folds read, and the raw cell. */
export interface TransactionRecord extends RecordOfDao {
  type: 'transaction';
  kind: ContractKind;
  /** Hash of the code that ran, or null where the account had none. */
  codeHash: string | null;
  lt: string;
  hash: string;
  prevLt: string;
  prevHash: string;
  /** The shard block that holds the transaction. */
  block: { workchain: number; shard: string; seqno: number };
  /** Unix seconds. */
  now: number;
  /** The compute phase ended with exit code 0 or 1, the action phase succeeded, nothing was aborted. */
  success: boolean;
  /** Set where this transaction deployed the account. */
  init: DeployedState | null;
  in: MessageHeader | null;
  out: MessageHeader[];
  /** The whole transaction. */
  boc: string;
}

export interface DeployedState {
  codeHash: string;
  /** The storage at deployment. */
  data: string;
}

export interface MessageHeader {
  type: 'internal' | 'external-in' | 'external-out';
  /** Null for an external source. */
  source: string | null;
  /** Null for an external destination. */
  destination: string | null;
  value: string;
  bounced: boolean;
  /** The first 32 bits of the body (of what follows ffffffff where `bounced`), null where there are fewer. */
  opcode: number | null;
  body: string;
  /** Logical time of the message. */
  lt: string;
  /** The state that an out-message deploys its destination with. */
  init: DeployedState | null;
}

/** An account came under tracking, or its code was seen to differ from what its chain told. */
export interface AccountRecord extends RecordOfDao {
  type: 'account';
  reason: 'discovered' | 'code_changed';
  kind: ContractKind;
  /** The verified account through which this one was found; null for the DAO itself. */
  parent: string | null;
  codeHash: string | null;
  /** Storage as read at `seqno`; folds must not depend on it where the chain tells the same. */
  data: string | null;
  /** Owner and minter of a jetton wallet, which never change. */
  wallet: { owner: string; minter: string } | null;
  /** The campaign that a campaign, helper or vesting vault is of; null for other kinds. */
  campaign: CampaignFacts | null;
  /** Masterchain block at which the account was read, and its time in unix seconds. */
  seqno: number;
  now: number;
}

/**
 * What a campaign's accounts need to know of it and what never changes, so that no document has to
 * wait for another account: from its first message, and of its currency as read at its discovery.
 */
export interface CampaignFacts {
  address: string;
  name: string;
  lpMinter: string;
  /** Null for the native currency. */
  currency: {
    minter: string;
    symbol: string | null;
    decimals: number | null;
    image: string | null;
  } | null;
}

/** Off-chain jetton metadata (TEP-64) as fetched when the content cell was first seen. */
export interface JettonMetadataRecord extends RecordOfDao {
  type: 'jetton_metadata';
  kind: ContractKind;
  uri: string;
  metadata: Record<string, unknown>;
}

/**
 * `tracked`: its backfill began; `complete`: all its accounts are read up to the head; `stalled`: the
 * chain of one could not be followed, until `complete` comes again. `tracked` after `untracked`: its
 * records come once more from the first on, each account beginning with its discovery.
 */
export interface DaoRecord extends RecordOfDao {
  type: 'dao';
  status: 'tracked' | 'complete' | 'stalled' | 'untracked';
}

/** A record with its place in the log. */
export interface StoredRecord {
  partition: number;
  offset: number;
  record: LogRecord;
}
