import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { MessageChannel } from 'node:worker_threads';
import { Tinypool } from 'tinypool';
import type { Answer, FoldedPart, FoldTask } from './rebuild-worker.ts';

/** In Node 20 a thread does not inherit what its process imports modules by. */
const readTypeScript = `import { register } from '${import.meta.resolve('tsx/esm/api')}'; register();`;

const IDLE_MS = 60 * 60_000;

/** Threads that read and fold partitions, as many as leave a core to the commits. */
export class FoldThreads {
  private readonly pool: Tinypool;

  constructor(partitions: number) {
    this.pool = new Tinypool({
      filename: new URL('rebuild-worker.ts', import.meta.url).href,
      execArgv: ['--import', `data:text/javascript,${encodeURIComponent(readTypeScript)}`],
      minThreads: 0,
      maxThreads: Math.max(1, Math.min(partitions, availableParallelism() - 1)),
      // They are kept until they are closed: to start one takes about a second.
      idleTimeout: IDLE_MS,
      useAtomics: false,
    });
  }

  /**
   * Folds a partition and hands out what was folded, part after part; the next one comes once the
   * handler has resolved. Ends early, without an error, where `signal` says so.
   */
  async fold(
    task: Omit<FoldTask, 'port'>,
    handle: (part: FoldedPart) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const { port1: port, port2 } = new MessageChannel();
    const say = (answer: Answer) => port.postMessage(answer);
    const stop = () => say('stop');
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    let failure: { error: unknown } | undefined;
    let handled = Promise.resolve();
    port.on('message', (part: FoldedPart) => {
      handled = handle(part).then(
        () => say('committed'),
        (error: unknown) => {
          failure = { error };
          stop();
        },
      );
    });
    try {
      await Promise.all([
        this.pool.run({ ...task, port: port2 } satisfies FoldTask, { transferList: [port2] }),
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
}
