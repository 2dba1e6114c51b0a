import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process under test; it ends when its channel to this one is closed. */
export class Child {
  private readonly process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.process = process;
  }

  /** Starts a file of this folder and hands it its task. */
  static start(file: string, task: object): Child {
    const path = fileURLToPath(new URL(file, import.meta.url));
    const forked = fork(path, { execArgv: ['--import', 'tsx'], serialization: 'advanced' });
    forked.send(task);
    return new Child(forked);
  }

  /** The next message, or an error where the process has ended instead. */
  async hear<T>(): Promise<T> {
    const gone = new AbortController();
    const [said] = (await Promise.race([
      once(this.process, 'message', { signal: gone.signal }),
      once(this.process, 'exit', { signal: gone.signal }).then(([code]) => {
        throw new Error(`a process under test ended with ${code}`);
      }),
    ]).finally(() => gone.abort())) as [T];
    return said;
  }

  ask<T>(question: object | string): Promise<T> {
    this.process.send(question);
    return this.hear<T>();
  }

  /** Microseconds of CPU time that the process has used so far, all its threads together. */
  cpuMicroseconds(): Promise<number> {
    return this.ask<number>('cpu');
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return;
    this.process.disconnect();
    await once(this.process, 'exit');
  }
}
