import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ChainClient } from '../shared/chain/chain-client.ts';
import { RetryableError } from '../shared/errors.ts';

const MAX_PAUSE_MS = 30_000;
/** Of a get-method, each while the server tells the account itself. */
const MAX_METHOD_TRIES = 3;

/**
 * The chain for whom an outage is no failure but a wait: calls are repeated until the servers are
 * back or the signal aborts. Transactions are the exception, because what they ask for may be a hint
 * that no server can answer; the account is then set aside and the others go on. A get-method is code
 * of a contract that may be anyone's, and can be made so that no server answers it while all is well:
 * `METHOD_UNANSWERED`.
 */
export function patientChain(chain: ChainClient, signal: AbortSignal, logger: Logger): ChainClient {
  // One listener for each call in flight.
  setMaxListeners(0, signal);
  const once = <T>(call: () => Promise<T>): Promise<T> => untilAborted(call, signal);
  const patiently = async <T>(call: () => Promise<T>): Promise<T> => {
    for (let wait = 500; ; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
      try {
        return await once(call);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof RetryableError) || error.code === 'BEYOND_HISTORY') throw error;
        logger.warn({ code: error.code, err: error, retryInMs: wait }, 'the chain does not answer');
      }
      await pause(wait, undefined, { signal });
    }
  };
  const whileWell = async <T>(call: () => Promise<T>, isWell: () => Promise<unknown>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await once(call);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof RetryableError) || error.code === 'BEYOND_HISTORY') throw error;
        await patiently(isWell);
        if (tries < MAX_METHOD_TRIES) continue;
        throw new RetryableError('METHOD_UNANSWERED', 'No server gives an answer of this get-method.', error);
      }
    }
  };
  return {
    zeroState: () => patiently(() => chain.zeroState()),
    head: () => patiently(() => chain.head()),
    block: (seqno) => patiently(() => chain.block(seqno)),
    account: (seqno, address) => patiently(() => chain.account(seqno, address)),
    accountLite: (seqno, address) => patiently(() => chain.accountLite(seqno, address)),
    transactions: (address, newest) => once(() => chain.transactions(address, newest)),
    runMethod: (seqno, address, name, args) =>
      whileWell(
        () => chain.runMethod(seqno, address, name, args),
        () => chain.accountLite(seqno, address),
      ),
  };
}

/** Does not wait for an answer that nobody wants any more. */
async function untilAborted<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    call()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}
