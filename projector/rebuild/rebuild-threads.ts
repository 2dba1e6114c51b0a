import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Tinypool } from 'tinypool';
import { FatalError, InvalidInputError, RetryableError } from '../../shared/errors.ts';
import type { DealTask } from './deal-out.ts';
import type { FoldedShard, ShardTask } from './fold-shard.ts';
import type * as worker from './worker.ts';
import type { Answer, WriteTask, WrittenBatch } from './write-partition.ts';

/** In Node 20 a thread does not inherit what its process imports modules by. */
const readTypeScript = `import { register } from '${import.meta.resolve('tsx/esm/api')}'; register();`;

/** One for each core; each takes about 120 MB, and a rebuild is to fit beside what else runs there. */
export const THREADS = Math.min(availableParallelism(), 8);

/** To start a thread takes about a second; one that has nothing to do keeps the memory of what it did last. */
const IDLE_MS = 3_000;

/** Threads that read, fold and merge, one for each core while there is so much to do. */
export class RebuildThreads {
  private readonly pool: Tinypool;

  /** `idleMs`: how long one without a task is kept. */
  constructor(idleMs = IDLE_MS) {
    this.pool = new Tinypool({
      filename: new URL('worker.ts', import.meta.url).href,
      execArgv: ['--import', `data:text/javascript,${encodeURIComponent(readTypeScript)}`],
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: idleMs,
      useAtomics: false,
      // Most of what they make is garbage soon, but not at once.
      resourceLimits: { maxYoungGenerationSizeMb: 32 },
    });
  }

  /** See `dealOut`. */
  dealOut(task: DealTask): Promise<void> {
    return this.run('dealOut', task);
  }

  /** See `foldShard`. */
  foldShard(task: ShardTask): Promise<FoldedShard> {
    return this.run('foldShard', task);
  }

  /**
   * Makes the batches of a partition and hands them out, one after the other, while it makes a few more.
   * Ends early, without an error, where `signal` says so.
   */
  async write(
    task: Omit<WriteTask, 'port'>,
    handle: (batch: WrittenBatch) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const { port1: port, port2 } = new MessageChannel();
    const say = (answer: Answer) => port.postMessage(answer);
    const stop = () => say('stop');
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    let failure: { error: unknown } | undefined;
    let handled = Promise.resolve();
    port.on('message', (batch: WrittenBatch) => {
      handled = handled
        .then(() => (failure ? undefined : handle(batch)))
        .then(
          () => say('committed'),
          (error: unknown) => {
            failure = { error };
            stop();
          },
        );
    });
    try {
      await Promise.all([
        this.run('writePartition', { ...task, port: port2 } satisfies WriteTask, [port2]),
        once(port, 'close'),
      ]);
      await handled;
    } finally {
      signal.removeEventListener('abort', stop);
      port.close();
    }
    if (failure) throw failure.error;
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }

  private async run<R>(
    name: keyof typeof worker,
    task: object,
    transferList: MessagePort[] = [],
  ): Promise<R> {
    const told: worker.Told<R> = await this.pool.run(task, { name, transferList });
    if ('done' in told) return told.done;
    const { code, message } = told.failed;
    const kind = [RetryableError, FatalError, InvalidInputError].find(
      (each) => each.name === told.failed.name,
    );
    throw new (kind ?? FatalError)(code, message);
  }
}
