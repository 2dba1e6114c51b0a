import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { configuredKeys } from '../../api/key-file.ts';
import { issueToken } from '../../api/tokens.ts';
import type { Config } from '../../shared/config.ts';
import { writeFileAtomically } from '../../shared/write-file-atomically.ts';
import { tellWhatIsServed } from './demo-tell.ts';
import { startDevnet } from './devnet.ts';
import type { StoryFacts } from './story/facts.ts';

export interface DemoService {
  apiUrl: string;
  opsUrl: string;
  stop(): Promise<void>;
  failed: Promise<never>;
}

export type DemoDao = StoryFacts['daos'][number] & { token: string };

const YEAR = 365 * 86_400;

/**
 * The demo: a chain of its own, indexed and served in this process until `ended` resolves. What it
 * prints can be pasted; what a script or a test needs is in `demo.json` of the data folder.
 */
export async function runDemo(
  config: Config,
  start: (settings: Config) => Promise<DemoService>,
  ended: Promise<void>,
): Promise<void> {
  const handOver = join(config.DATA_DIR, 'demo.json');
  await rm(handOver, { force: true });
  const devnet = await startDevnet({
    dataDir: join(config.DATA_DIR, 'devnet'),
    port: config.DEVNET_PORT,
    rate: config.DEMO_RATE,
  });
  const { story, url: chainUrl } = devnet;
  const settings: Config = {
    ...config,
    TON_ENDPOINTS: [chainUrl],
    TRACKED_DAOS: story.daos.map((dao) => dao.address),
    TON_REQUESTS_PER_SECOND: 10_000,
    // What the demo tells is on standard output; a line for every request would bury it.
    LOG_LEVEL: config.LOG_LEVEL === 'info' ? 'error' : config.LOG_LEVEL,
  };
  const service = await start(settings);
  try {
    const keys = await configuredKeys(config);
    const daos = story.daos.map((dao) => ({
      ...dao,
      token: issueToken(keys, { dao: dao.address, ttlSeconds: YEAR }).token,
    }));
    console.log(`A chain of ${devnet.head()} blocks on ${chainUrl}; indexing ${daos.length} DAOs of it.`);
    const served = await Promise.race([whenServed(service.apiUrl, daos, ended), service.failed]);
    if (!served) return;
    await writeFileAtomically(handOver, JSON.stringify(handOverOf(service, chainUrl, story, daos), null, 2));
    await tellWhatIsServed(service, { daos, campaigns: story.campaigns, handOver });
    await Promise.race([ended, service.failed]);
    console.log('Stopping.');
  } finally {
    await service.stop();
    await devnet.close();
  }
}

/** Whether the API answers for every DAO; false where the end came first. */
async function whenServed(apiUrl: string, daos: DemoDao[], ended: Promise<void>): Promise<boolean> {
  let over = false;
  void ended.then(() => (over = true));
  for (const { address, token } of daos) {
    const headers = { authorization: `Bearer ${token}` };
    while (!(await fetch(`${apiUrl}/api/v1/daos/${address}`, { headers })).ok) {
      if (over) return false;
      await pause(100);
    }
  }
  return true;
}

function handOverOf({ apiUrl, opsUrl }: DemoService, chainUrl: string, story: StoryFacts, daos: DemoDao[]) {
  return {
    apiUrl,
    opsUrl,
    chainUrl,
    daos: daos.map(({ address, version, token }) => ({ address, version, token })),
    campaigns: story.campaigns,
    proposals: story.proposals.map(({ address, dao }) => ({ address, dao })),
    wallets: story.wallets.map(({ version: _version, ...wallet }) => wallet),
  };
}
