import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** One set of data of the adapter under test: fresh when made, opened any number of times, then destroyed. */
export interface Subject<T> {
  /** A handle of its own, like that of another process; the suite closes it. */
  open(): Promise<T>;
  /** The same for another process: the module's `open(at)` opens the data. */
  opener: { module: string; at: string };
  destroy(): Promise<void>;
}

/** A child of a suite at work on the subject's data, until it is killed. */
export interface Child {
  /** The next line that it prints: what it has been told is durable. */
  line(): Promise<string>;
  kill(): Promise<void>;
}

/** Runs a file of `test/conformance/children` in a process of its own. */
export function startChild(script: string, subject: Subject<unknown>, ...rest: string[]): Child {
  const path = fileURLToPath(new URL(`children/${script}`, import.meta.url));
  const { module, at } = subject.opener;
  const child = spawn(process.execPath, ['--import', 'tsx', path, module, at, ...rest], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async line() {
      const next = await lines.next();
      if (next.done === true) throw new Error(`${script} ended too early`);
      return next.value;
    },
    kill: () => killed(child),
  };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Waits for what happens in its own time; the test's timeout is the only limit. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5);
}

/** The error that `action` rejects with. */
export async function rejection(action: Promise<unknown>): Promise<unknown> {
  try {
    await action;
  } catch (error) {
    return error;
  }
  throw new Error('It was expected to be refused');
}
