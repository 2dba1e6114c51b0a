import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Program {
  process: ChildProcess;
  /** The first line of its standard output that the pattern matches. */
  line(pattern: RegExp): Promise<string>;
  /** Its exit code once it has ended, null where a signal ended it. */
  ended: Promise<number | null>;
  /** What it wrote to standard output so far. */
  output(): string;
  /** Sends the signal and waits for the end; gives the exit code, null where the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Runs a TypeScript file of this project as a process of its own, killable by its own pid. */
export function runProgram(
  file: string,
  args: string[],
  env: Record<string, string> = {},
  cwd: string = root,
): Program {
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    cwd,
    env: { ...process.env, LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const seen: string[] = [];
  const waiting: { pattern: RegExp; found: (line: string) => void }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    seen.push(line);
    for (const { pattern, found } of waiting) if (pattern.test(line)) found(line);
  });
  return {
    process: child,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const before = seen.find((line) => pattern.test(line));
        if (before !== undefined) return resolve(before);
        waiting.push({ pattern, found: resolve });
        void ended.then((code) => reject(new Error(`${file} ended with ${code} before it said ${pattern}`)));
      }),
    ended,
    output: () => seen.join('\n'),
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
