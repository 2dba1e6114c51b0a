import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import getPort, { portNumbers } from 'get-port';
import pRetry from 'p-retry';

/** A server of a test's own on 127.0.0.1. It ends with the process that started it, however that one ends. */
export interface Server {
  /** The service's name and version, such as `Redis 7.0.15`. */
  readonly name: string;
  /** What a client connects to. */
  readonly url: string;
  /** Its data and its log. */
  readonly folder: string;
  /** SIGKILL. Resolves once the process is gone. */
  kill(): Promise<void>;
  /** Stands still, its connections open, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Starts again what was killed, on the same port and data. Resolves once it answers. */
  start(): Promise<void>;
  /** Asks it to end, then removes its data. */
  stop(): Promise<void>;
}

export interface Recipe {
  name: string;
  url: string;
  /** Holds the data and the log; removed by `stop`. */
  folder: string;
  command: [program: string, ...args: string[]];
  /** Rejects as long as the server is not ready for a client. */
  answers: () => Promise<void>;
}

const supervise = fileURLToPath(new URL('supervise.sh', import.meta.url));
const ended = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

const startsWithinSeconds = 60;
const endsWithinMs = 10_000;

/** Starts the server. Resolves once it answers; rejects with the end of its log when it does not. */
export async function startServer({ name, url, folder, command, answers }: Recipe): Promise<Server> {
  const log = join(folder, 'server.log');
  let shell: ChildProcess | undefined;

  async function start(): Promise<void> {
    if (shell !== undefined && !ended(shell)) return;
    const output = await open(log, 'a');
    // Detached: Ctrl-C goes to the tests alone, which then stop their servers.
    const child = spawn('sh', [supervise, folder, ...command], {
      cwd: folder,
      detached: true,
      stdio: ['pipe', output.fd, output.fd],
    });
    await output.close();
    shell = child;
    child.stdin?.on('error', () => {}); // it ended while we told it to
    // A server that nobody stopped keeps no process alive, and so ends, too.
    child.unref();
    (child.stdin as Socket).unref(); // a pipe is a socket
    try {
      await pRetry(answers, {
        retries: startsWithinSeconds * 10,
        minTimeout: 100,
        factor: 1,
        shouldRetry: () => !ended(child),
      });
    } catch (error) {
      await kill();
      const logEnd = (await readFile(log, 'utf8')).split('\n').slice(-15).join('\n');
      throw new Error(`${name} did not start. The end of its log:\n${logEnd}`, { cause: error });
    }
  }

  async function end(word: 'kill' | 'stop'): Promise<void> {
    const child = shell;
    shell = undefined;
    if (child === undefined || ended(child)) return;
    child.ref();
    const gone = once(child, 'exit');
    child.stdin?.end(`${word}\n`);
    const late = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), endsWithinMs);
    await gone;
    clearTimeout(late);
  }

  // The shell leads a group of its own.
  const signal = (sent: NodeJS.Signals) => {
    if (shell?.pid !== undefined && !ended(shell)) process.kill(-shell.pid, sent);
  };
  const [freeze, thaw] = [() => signal('SIGSTOP'), () => signal('SIGCONT')];
  const kill = () => end('kill');
  const stop = async () => {
    await end('stop');
    await rm(folder, { recursive: true, force: true });
  };

  try {
    await start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return { name, url, folder, freeze, thaw, kill, start, stop };
}

/** A folder of its own for one server's data and log. */
export const dataFolder = (service: string) => mkdtemp(join(tmpdir(), `ton-dao-indexer-${service}-`));

/**
 * Below the range that the system takes ports of outgoing connections from: between a kill and a start nobody
 * else gets the port, and a client that retries cannot be connected to itself.
 */
export function freePort(): Promise<number> {
  const from = 10_000 + Math.floor(Math.random() * 20_000);
  return getPort({ port: portNumbers(from, from + 100) });
}
