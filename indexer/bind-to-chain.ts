import type { ChainClient } from '../shared/chain/chain-client.ts';
import { FatalError } from '../shared/errors.ts';
import type { LogAppender } from './append.ts';
import { chainChange, type TrackedAccounts } from './tracked-accounts.ts';

/**
 * Binds the log to one chain at its first use: accounts of two chains must not meet in one log.
 * Throws a FatalError `LOG_OF_ANOTHER_CHAIN` where it is bound to another one.
 */
export async function bindToChain(
  log: LogAppender,
  tracked: TrackedAccounts,
  chain: ChainClient,
): Promise<void> {
  const zeroState = await chain.zeroState();
  if (tracked.chain === zeroState) return;
  if (tracked.chain === null) return log.append({ records: [], state: [chainChange(zeroState)] });
  throw new FatalError(
    'LOG_OF_ANOTHER_CHAIN',
    `The log holds the chain with zero state ${tracked.chain}, and TON_ENDPOINTS serve that with ${zeroState}: ` +
      'set DATA_DIR (or KAFKA_PREFIX) to one of its own',
  );
}
