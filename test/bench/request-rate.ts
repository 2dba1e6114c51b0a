import { Child } from './child.ts';
import { loadAwake } from './load.ts';
import type { ApiTask } from './processes/api.ts';
import type { RawAnswer } from './processes/raw.ts';
import { holdersPath, KEYS, requestText } from './requests.ts';
import { mediansOfRounds, type Sample } from './rounds.ts';
import type { Measured, Size } from './row.ts';

/** A server and what is asked of it. */
export interface Side {
  child: Child;
  port: number;
  request: (index: number) => string;
  status: number;
}

const ROUNDS = 9;
const REQUESTS: Record<Size, number> = { small: 3000, full: 6000 };

/**
 * Requests that each side answers in a second of its CPU time: wall time would measure the client
 * too, which shares the machine with the server. Stops the servers in the end.
 */
export async function requestRates(size: Size, ours: Side, reference: Side): Promise<Measured> {
  const count = REQUESTS[size];
  const samples = [ours, reference].map((side) => ratesOf(side, count)) as [Sample, Sample];
  try {
    for (const sample of samples) await sample();
    return await mediansOfRounds(ROUNDS, ...samples);
  } finally {
    await Promise.all([...new Set([ours.child, reference.child])].map((child) => child.stop()));
  }
}

/** Every round goes on where the one before ended, for sides that never ask for the same twice. */
function ratesOf({ child, port, request, status }: Side, count: number): Sample {
  let asked = 0;
  return async () => {
    const from = asked;
    asked += count;
    const before = await child.cpuMicroseconds();
    await loadAwake(port, count, (index) => request(from + index), status);
    return (count * 1e6) / ((await child.cpuMicroseconds()) - before);
  };
}

/** The API on the stores in `dir`, in a process of its own. */
export async function startApi(
  dir: string,
  options: Pick<ApiTask, 'unchecked'> = {},
): Promise<{ child: Child; port: number }> {
  const task: ApiTask = { dir, keys: KEYS, ...options };
  const child = Child.start('processes/api.ts', task);
  return { child, port: await child.hear<number>() };
}

/** A side that is asked the same every time. */
export function always(
  server: { child: Child; port: number },
  path: string,
  headers: Record<string, string>,
  status = 200,
): Side {
  const text = requestText(path, headers);
  return { ...server, request: () => text, status };
}

/** Shares no factor with the number of pages: no page comes twice. */
const STEP = 617;

/** A side that is asked for another page of holders every time. */
export function anotherPage(
  server: { child: Child; port: number },
  holders: number,
  headers: Record<string, string>,
): Side {
  const offset = (index: number) => ((index + 1) * STEP) % (holders - 100);
  return { ...server, request: (index) => requestText(holdersPath(offset(index)), headers), status: 200 };
}

/** raw node:http that sends `answer` to the requests of `side`. */
export async function rawSide(answer: RawAnswer, side: Side): Promise<Side> {
  const child = Child.start('processes/raw.ts', answer);
  return { ...side, child, port: await child.hear<number>() };
}
