import { z } from 'zod';
import type { ChainPoint } from '../shared/chain/chain-client.ts';
import { contractKinds } from '../shared/contracts/contract-kind.ts';
import { FatalError } from '../shared/errors.ts';
import type { StateChange } from '../shared/event-log/event-log.ts';

const point = z.object({ lt: z.string(), hash: z.string() });

/** CampaignFacts of the log. */
const campaignFacts = z.object({
  address: z.string(),
  name: z.string(),
  lpMinter: z.string(),
  currency: z
    .object({
      minter: z.string(),
      symbol: z.string().nullable(),
      decimals: z.number().nullable(),
      image: z.string().nullable(),
    })
    .nullable(),
});

const accountEntry = z.object({
  kind: z.enum(contractKinds),
  parent: z.string().nullable(),
  /** Hash of the code that the account's next transaction runs. */
  codeHash: z.string().nullable(),
  /** Its newest transaction in the log. */
  last: point.nullable(),
  /** Set while its chain is known to reach further than `last`. */
  tip: point.nullable(),
  wallet: z.object({ owner: z.string(), minter: z.string() }).nullable(),
  /** Reached by an internal transfer, but nothing tells yet whose wallet it is. */
  candidate: z.boolean().optional(),
  /** Of a campaign, for the records of its helpers and vaults. */
  campaign: campaignFacts.optional(),
});

const daoEntry = z.object({
  /** The record `complete` is in the log. */
  complete: z.boolean(),
  /** Read up to `head`; else it is (or was, before a stop) being read from its accounts' chains. */
  following: z.boolean(),
  /** Its entries are being deleted. */
  leaving: z.boolean().optional(),
});

const headEntry = z.object({ seqno: z.number(), time: z.number() });

const metadataEntry = z.object({ uri: z.string(), attempts: z.number(), done: z.boolean() });

export type DaoEntry = z.infer<typeof daoEntry>;
export type HeadEntry = z.infer<typeof headEntry>;
export type MetadataEntry = z.infer<typeof metadataEntry>;

/** An account of a DAO and how far its chain is in the log. */
export interface TrackedAccount extends z.infer<typeof accountEntry> {
  dao: string;
  account: string;
}

export function accountChange({ dao, account, ...value }: TrackedAccount): StateChange {
  return { key: `account/${dao}/${account}`, value };
}

export function daoChange(dao: string, value: DaoEntry | null): StateChange {
  return { key: `dao/${dao}`, value };
}

export function chainChange(zeroState: string): StateChange {
  return { key: 'chain', value: zeroState };
}

export function headChange(value: HeadEntry): StateChange {
  return { key: 'head', value };
}

export function metadataChange(dao: string, minter: string, value: MetadataEntry | null): StateChange {
  return { key: `metadata/${dao}/${minter}`, value };
}

/** The account's chain is known to reach further than the log. */
export function isPending({ last, tip }: { last: ChainPoint | null; tip: ChainPoint | null }): boolean {
  return tip !== null && tip.lt !== last?.lt;
}

/** The writer's state in memory: always what the log holds, changed by what was appended alone. */
export class TrackedAccounts {
  /** Root hash of the zero state of the chain that the log is of. */
  chain: string | null = null;
  head: HeadEntry | null = null;
  readonly daos = new Map<string, DaoEntry>();
  /** By DAO and minter. */
  readonly metadata = new Map<string, { dao: string; minter: string } & MetadataEntry>();
  private readonly accounts = new Map<string, Map<string, TrackedAccount>>();
  private readonly daosByAccount = new Map<string, Set<string>>();
  private readonly pending = new Map<string, Set<string>>();

  /** The accounts of a DAO by raw address. */
  of(dao: string): ReadonlyMap<string, TrackedAccount> {
    return this.accounts.get(dao) ?? new Map<string, TrackedAccount>();
  }

  daosOf(account: string): Iterable<string> {
    return this.daosByAccount.get(account) ?? [];
  }

  /** Accounts of a DAO whose chain reaches further than the log. */
  pendingOf(dao: string): TrackedAccount[] {
    const accounts = this.of(dao);
    return [...(this.pending.get(dao) ?? [])].flatMap((account) => accounts.get(account) ?? []);
  }

  apply(changes: Iterable<StateChange>): void {
    for (const { key, value } of changes) {
      const [name, dao = '', account = ''] = key.split('/');
      if (name === 'account') this.applyAccount(dao, account, value);
      else if (name === 'dao') put(this.daos, dao, value === null ? null : parsed(key, daoEntry, value));
      else if (name === 'chain') this.chain = parsed(key, z.string(), value);
      else if (name === 'head') this.head = parsed(key, headEntry, value);
      else if (name === 'metadata') {
        const entry = value === null ? null : parsed(key, metadataEntry, value);
        put(this.metadata, key, entry && { dao, minter: account, ...entry });
      }
    }
  }

  private applyAccount(dao: string, account: string, value: unknown): void {
    const accounts = within(this.accounts, dao, () => new Map<string, TrackedAccount>());
    const daos = within(this.daosByAccount, account, () => new Set<string>());
    const pending = within(this.pending, dao, () => new Set<string>());
    const entry =
      value === null ? null : { dao, account, ...parsed(`account/${dao}/${account}`, accountEntry, value) };
    put(accounts, account, entry);
    if (entry) daos.add(dao);
    else daos.delete(dao);
    if (entry && isPending(entry)) pending.add(account);
    else pending.delete(account);
    if (accounts.size === 0) this.accounts.delete(dao);
    if (daos.size === 0) this.daosByAccount.delete(account);
    if (pending.size === 0) this.pending.delete(dao);
  }
}

function parsed<T>(key: string, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new FatalError(
    'STATE_UNREADABLE',
    `The indexer's state entry ${key} is of another format: run the version that wrote it, or start a new log.`,
    result.error,
  );
}

function put<V>(map: Map<string, V>, key: string, value: V | null): void {
  if (value === null) map.delete(key);
  else map.set(key, value);
}

function within<V>(map: Map<string, V>, key: string, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
