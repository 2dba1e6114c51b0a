import { setTimeout as pause } from 'node:timers/promises';
import { parseJwtKeys } from '../../api/jwt-keys.ts';
import { issueToken } from '../../api/tokens.ts';
import { type Deployment, deploy, type Servers } from '../services/deployment.ts';
import type { Row, Size } from './row.ts';

const BLOCKS: Record<Size, number> = { small: 25, full: 200 };
const ACTIVITIES_A_SECOND = 5;
const LOOK_EVERY_MS = 5;
/** Until what is compiled and connected at first is behind. */
const BLOCKS_BEFORE = 20;

interface Visibility {
  name: string;
  /** What answers, in words. */
  ours: string;
  goalSeconds: number;
  /** Embedded where one is not named. */
  servers: () => Promise<Partial<Servers>>;
  /** Starts the roles. Gives where the API is. */
  begin: (deployment: Deployment) => Promise<{ url: string }>;
}

/**
 * From a block's first being served by the chain to its first being told by an answer of the API, in
 * seconds of the clock, on a devnet with a block each 0.4 seconds; the 95th percentile.
 */
export function visibilityRow({ name, ours, goalSeconds, servers, begin }: Visibility): Row {
  return {
    name,
    ours: `${ours}, from block to answer, 95th percentile`,
    reference: 'the goal',
    unit: 'seconds by the clock',
    goal: { atMost: 1 },
    async measure(size) {
      const deployment = await deploy(await servers(), { rate: ACTIVITIES_A_SECOND });
      try {
        const { url } = await begin(deployment);
        const seconds = await secondsToVisible(deployment, url, BLOCKS[size]);
        const [median, p95] = [0.5, 0.95].map((share) => seconds[Math.floor(share * seconds.length)]);
        return {
          ours: p95 ?? Number.NaN,
          reference: goalSeconds,
          note: `${seconds.length} blocks; median ${median?.toFixed(2)}, longest ${seconds.at(-1)?.toFixed(2)}`,
        };
      } finally {
        await deployment.close();
      }
    },
  };
}

/** Sorted. */
async function secondsToVisible(deployment: Deployment, url: string, blocks: number): Promise<number[]> {
  const shown = await shownBy(deployment, url);
  const served = async () => {
    const { last } = await answerOf<{ last: { seqno: number } }>(`${deployment.chainUrl}/block/latest`);
    return last.seqno;
  };
  // The story is read first: until then nothing is answered.
  while ((await shown()) < (await served()) - 1) await pause(100);
  const first = (await served()) + BLOCKS_BEFORE;
  const last = first + blocks - 1;
  const [from, to] = await Promise.all([timesOf(served, first, last), timesOf(shown, first, last)]);
  return to.map((at, index) => (at - (from[index] ?? Number.NaN)) / 1000).sort((a, b) => a - b);
}

/** When each block from `first` to `last` was there, in milliseconds of this process. */
async function timesOf(newest: () => Promise<number>, first: number, last: number): Promise<number[]> {
  const times: number[] = [];
  while (times.length <= last - first) {
    const seqno = Math.min(await newest(), last);
    for (let next = first + times.length; next <= seqno; next++) times.push(performance.now());
    await pause(LOOK_EVERY_MS);
  }
  return times;
}

/** Asks for the newest block that answers about the DAO with the activity are as of; 0 before there are any. */
async function shownBy({ settings, story }: Deployment, url: string): Promise<() => Promise<number>> {
  const dao = story.daos[0]?.address ?? '';
  const { token } = issueToken(parseJwtKeys(settings['JWT_KEYS'] ?? ''), { dao, ttlSeconds: 3600 });
  const headers = { authorization: `Bearer ${token}` };
  return async () => {
    const response = await fetch(`${url}/api/v1/daos/${dao}`, { headers });
    await response.arrayBuffer();
    return response.ok ? Number(response.headers.get('x-indexed-seqno')) : 0;
  };
}

async function answerOf<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}
