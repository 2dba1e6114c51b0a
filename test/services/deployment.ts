import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DevnetOptions } from '../devnet/devnet.ts';
import type { StoryFacts } from '../devnet/story/facts.ts';
import { type Program, runProgram } from '../service/process.ts';

/** The distributed set-up: each role a process of its own on real servers, the devnet one as well. */
export interface Deployment {
  /** What every role is configured with. */
  settings: Record<string, string>;
  story: StoryFacts;
  chainUrl: string;
  start(role: 'index' | 'project'): Program;
  /** A process that answers: the API alone, or the whole service. */
  serve(role?: 'serve' | 'start'): Promise<{ program: Program; url: string }>;
  close(): Promise<void>;
}

export interface Servers {
  KAFKA_BROKERS: string;
  MONGODB_URL: string;
  REDIS_URL: string;
}

/** The servers that the run was given, or started once for all specs. */
export function given(): Servers {
  const { KAFKA_BROKERS = '', MONGODB_URL = '', REDIS_URL = '' } = process.env;
  return { KAFKA_BROKERS, MONGODB_URL, REDIS_URL };
}

/** Blocks of the story a second (0 = all at once), and activities a second after it. */
type Chain = Pick<DevnetOptions, 'pace' | 'rate'>;

/** Of the servers, with topics, a database and keys of its own; embedded where one is not named. */
export async function deploy(servers: Partial<Servers>, chain: Chain = {}): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'deployment-'));
  const { pace = 0, rate = 0 } = chain;
  const dataDir = join(folder, 'devnet');
  const options = Object.entries({ 'data-dir': dataDir, pace, rate }).map(([name, is]) => `--${name}=${is}`);
  const devnet = runProgram('test/devnet/main.ts', options);
  const { url, story } = JSON.parse(await devnet.line(/^\{/)) as { url: string; story: StoryFacts };
  const name = `story-${randomUUID().slice(0, 8)}`;
  const secret = randomUUID() + randomUUID();
  const settings: Record<string, string> = {
    ...servers,
    DATA_DIR: join(folder, 'data'),
    KAFKA_PREFIX: name,
    MONGODB_DATABASE: name,
    REDIS_PREFIX: name,
    TON_ENDPOINTS: url,
    TON_REQUESTS_PER_SECOND: '1000',
    TRACKED_DAOS: story.daos.map(({ address }) => address).join(','),
    // Not the partitions of the undisturbed run: the digest does not depend on them.
    LOG_PARTITIONS: '6',
    JWT_KEYS: JSON.stringify([{ kid: 'test', alg: 'HS256', secret: Buffer.from(secret).toString('base64') }]),
    PORT: '0',
    OPS_PORT: '0',
  };
  const running: Program[] = [];
  const start = (role: string) => {
    const program = runProgram('cli.ts', [role], settings);
    running.push(program);
    return program;
  };
  if (servers.REDIS_URL !== undefined) {
    const setup = runProgram('cli.ts', ['token', 'setup'], settings);
    if ((await setup.ended) !== 0) throw new Error('the list of revoked tokens could not be made');
  }
  return {
    settings,
    story,
    chainUrl: url,
    start,
    serve: async (role = 'serve') => {
      const program = start(role);
      const [, found = ''] = /^API on (\S+)/.exec(await program.line(/^API on/)) ?? [];
      return { program, url: found };
    },
    close: async () => {
      await Promise.all(running.map((program) => program.end('SIGKILL')));
      await devnet.end('SIGTERM');
      await rm(folder, { recursive: true });
    },
  };
}
