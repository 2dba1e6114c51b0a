import type { ContractKind } from '../shared/contracts/contract-kind.ts';
import type { ContractEvent } from '../shared/contracts/contract-version.ts';
import type { AccountRecord } from '../shared/event-log/record.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Where and when an event happened. */
export interface FoldContext {
  dao: string;
  account: string;
  /** Logical time of the transaction; empty for facts that are not transactions. */
  lt: string;
  /** Unix seconds. */
  now: number;
}

/** What one account has to say in a document; null takes it back. */
export interface PartChange {
  /** Name of the read model. */
  projection: string;
  key: string;
  part: JsonObject | null;
}

export interface Folded<S> {
  state: S;
  parts: PartChange[];
}

/**
 * How the events of one kind of account fold into its state (plain JSON, amounts as decimal
 * strings), and what the account then has to say in documents. Pure: no clock, no order but the
 * account's own, nothing outside the arguments.
 */
export interface AccountFold<S extends JsonObject, E extends ContractEvent = ContractEvent> {
  kind: ContractKind;
  /** Raise it when the same events give another state or other parts. */
  version: number;
  /** Before the first transaction; also when an account is discovered again. */
  start(record: AccountRecord): Folded<S>;
  apply(state: S, event: E, context: FoldContext): Folded<S>;
  /** A fact about the account that is not a transaction. */
  learn?(state: S, fact: AccountFact, context: Pick<FoldContext, 'dao' | 'account'>): Folded<S>;
}

export type AccountFact =
  | { type: 'code_changed'; codeHash: string | null }
  | { type: 'jetton_metadata'; uri: string; metadata: JsonObject };

/** An amount after a change. Throws where it would fall below zero: then the chain was not read whole. */
export function changed(amount: string, by: bigint): string {
  const sum = BigInt(amount) + by;
  if (sum < 0n) throw new RangeError(`amount ${amount} cannot change by ${by}: it would be negative`);
  return sum.toString();
}
