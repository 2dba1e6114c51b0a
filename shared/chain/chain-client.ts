import { setMaxListeners } from 'node:events';
import { Address, type Transaction, type TupleItem } from '@ton/core';
import pRetry from 'p-retry';
import { IndexerError, RetryableError } from '../errors.ts';
import { type AccountState, fullAccountState, liteAccountState } from './account-state.ts';
import { createEndpoint, type EndpointOptions } from './endpoint.ts';
import { useNativeSha256 } from './native-sha256.ts';

/** A place on an account's chain: decimal lt, hash in hex. */
export interface ChainPoint {
  lt: string;
  hash: string;
}

/** The newest masterchain block and its time in unix seconds. */
export interface ChainHead {
  seqno: number;
  now: number;
}

export interface BlockId {
  workchain: number;
  /** Signed decimal, as the v4 API writes it. */
  shard: string;
  seqno: number;
}

export interface ShardBlock extends BlockId {
  /** Of raw addresses; in some order. */
  transactions: (ChainPoint & { account: string })[];
}

/** A transaction with the shard block that holds it. */
export interface PlacedTransaction {
  block: BlockId;
  transaction: Transaction;
}

/**
 * What is asked of the chain, addresses raw. Every call is tried again a bounded number of times;
 * what still fails is a RetryableError: `BEYOND_HISTORY` where no server keeps that much history,
 * `NOT_YET` where the block is not there, else `CHAIN_UNAVAILABLE`.
 */
export interface ChainClient {
  /** Root hash of the chain's zero state, 64 hex digits: what tells one chain from another. */
  zeroState(): Promise<string>;
  head(): Promise<ChainHead>;
  /** The shard blocks that masterchain block `seqno` made final; null where it is not there yet. */
  block(seqno: number): Promise<ShardBlock[] | null>;
  account(seqno: number, address: string): Promise<AccountState>;
  /** The same without storage. */
  accountLite(seqno: number, address: string): Promise<AccountState>;
  /** At most 20, newest first, from the given one on. */
  transactions(address: string, newest: ChainPoint): Promise<PlacedTransaction[]>;
  runMethod(
    seqno: number,
    address: string,
    name: string,
    args?: TupleItem[],
  ): Promise<{ exitCode: number; result: TupleItem[] }>;
}

export interface ChainOptions {
  /** Asked in turn when one fails. */
  endpoints: EndpointOptions[];
  /** Milliseconds for one request; 5000 where absent. */
  timeoutMs?: number;
  /** Further attempts after the first; 5 where absent. */
  retries?: number;
  /** Milliseconds before the first further attempt, doubled each time, jittered; 200 where absent. */
  retryDelayMs?: number;
  /** Cancels requests in flight and pauses between attempts. */
  signal?: AbortSignal;
}

export function createChainClient(options: ChainOptions): ChainClient {
  useNativeSha256();
  const { retries = 5, retryDelayMs = 200, signal } = options;
  // Every request in flight listens; there may be many.
  if (signal) setMaxListeners(0, signal);
  const endpoints = options.endpoints.map((endpoint) =>
    createEndpoint({ timeoutMs: options.timeoutMs ?? 5000, signal, ...endpoint }),
  );
  let preferred = 0;

  const ask = <T>(request: (endpoint: Endpoint) => Promise<T>, patient = true): Promise<T> => {
    const first = preferred;
    return pRetry(
      async (attempt) => {
        const index = (first + attempt - 1) % endpoints.length;
        const endpoint = endpoints[index];
        if (!endpoint) {
          throw new RetryableError('CHAIN_UNAVAILABLE', 'No chain endpoint is configured; set one.');
        }
        const answer = await request(endpoint);
        preferred = index;
        return answer;
      },
      {
        retries: Math.max(retries, endpoints.length - 1),
        minTimeout: retryDelayMs,
        maxTimeout: 5000,
        randomize: true,
        signal,
        shouldRetry: ({ error, attemptNumber }) => mayRetry(error, attemptNumber, patient),
      },
    );
  };

  const mayRetry = (error: unknown, attempt: number, patient: boolean): boolean => {
    if (!(error instanceof IndexerError)) return false;
    if (error.code === 'BEYOND_HISTORY') return attempt < endpoints.length;
    return patient || error.code !== 'NOT_YET';
  };

  return {
    zeroState: () =>
      ask(async ({ run }) => {
        const { init } = await run((client) => client.getLastBlock());
        return Buffer.from(init.rootHash, 'base64').toString('hex');
      }),
    head: () =>
      ask(async ({ run }) => {
        const { last, now } = await run((client) => client.getLastBlock());
        return { seqno: last.seqno, now };
      }),
    block: (seqno) =>
      ask(async ({ run }) => shardBlocks(await run((client) => client.getBlock(seqno))), false).catch(
        (error: unknown) => {
          if (error instanceof IndexerError && error.code === 'NOT_YET') return null;
          throw error;
        },
      ),
    account: (seqno, address) =>
      ask(async ({ run }) =>
        fullAccountState((await run((client) => client.getAccount(seqno, Address.parse(address)))).account),
      ),
    accountLite: (seqno, address) =>
      ask(async ({ run }) =>
        liteAccountState(
          (await run((client) => client.getAccountLite(seqno, Address.parse(address)))).account,
        ),
      ),
    transactions: (address, { lt, hash }) =>
      ask(async ({ run }) => {
        const page = await run((client) =>
          client.getAccountTransactions(Address.parse(address), BigInt(lt), Buffer.from(hash, 'hex')),
        );
        return page.map(({ block: { workchain, shard, seqno }, tx }) => ({
          block: { workchain, shard, seqno },
          transaction: tx,
        }));
      }),
    runMethod: (seqno, address, name, args = []) =>
      ask(async ({ run }) => {
        const { exitCode, result } = await run((client) =>
          client.runMethod(seqno, Address.parse(address), name, args),
        );
        return { exitCode, result };
      }),
  };
}

type Endpoint = ReturnType<typeof createEndpoint>;

interface RawBlock {
  shards: (BlockId & { transactions: { account: string; lt: string; hash: string }[] })[];
}

function shardBlocks({ shards }: RawBlock): ShardBlock[] {
  return shards.map(({ workchain, shard, seqno, transactions }) => ({
    workchain,
    shard,
    seqno,
    transactions: transactions.map(({ account, lt, hash }) => ({
      account: Address.parse(account).toRawString(),
      lt,
      hash: Buffer.from(hash, 'base64').toString('hex'),
    })),
  }));
}
