import { setTimeout as pause } from 'node:timers/promises';

/** An application that reads every endpoint of one process in a loop. */
export interface Client {
  /** Answers so far. */
  reads(): number;
  /** What was wrong with answers, none of which may be. */
  problems(): readonly string[];
  stop(): Promise<void>;
}

export type Ask = (path: string) => Promise<Response>;

/** `check` says what is wrong with an answer of status 200. */
export function readInLoop(
  ask: Ask,
  paths: string[],
  check: (path: string, body: unknown) => string | undefined,
): Client {
  const problems: string[] = [];
  let reads = 0;
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      for (const path of paths) {
        const problem = await problemOf(ask, path, check);
        if (problem !== undefined) problems.push(problem);
        reads++;
      }
      await pause(10);
    }
  })();
  return {
    reads: () => reads,
    problems: () => problems,
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}

async function problemOf(
  ask: Ask,
  path: string,
  check: (path: string, body: unknown) => string | undefined,
): Promise<string | undefined> {
  try {
    const response = await ask(path);
    const text = await response.text();
    return response.status === 200 ? check(path, JSON.parse(text)) : `${path}: ${response.status} ${text}`;
  } catch (error) {
    return `${path}: ${String(error)}`;
  }
}
