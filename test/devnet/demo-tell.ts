import Table from 'cli-table3';
import { renderUnicodeCompact } from 'uqr';
import type { DemoDao, DemoService } from './demo.ts';
import type { StoryFacts } from './story/facts.ts';

interface Served {
  daos: DemoDao[];
  campaigns: StoryFacts['campaigns'];
  /** Where the hand-over file is. */
  handOver: string;
}

type Ask = (path: string) => Promise<Record<string, unknown>>;

/** Prints what a newcomer needs: what is there, lines to paste, and a link to sign. */
export async function tellWhatIsServed(
  service: DemoService,
  { daos, campaigns, handOver }: Served,
): Promise<void> {
  const { apiUrl, opsUrl } = service;
  console.log(await tableOf(apiUrl, daos));
  console.log(`\nAPI ${apiUrl}, a page to try it on ${apiUrl}/docs, health ${opsUrl}/healthz`);
  console.log(`Tokens, wallets, campaigns and addresses for scripts: ${handOver}\n\nTry:`);
  const dao = daos.find(({ version }) => version === '6.1') ?? daos[0];
  if (!dao) return;
  for (const path of ['', '/holders?limit=3', '/proposals?limit=2', '/crowdfundings?status=active&limit=1'])
    console.log(
      `\ncurl -s -H 'Authorization: Bearer ${dao.token}' '${apiUrl}/api/v1/daos/${dao.address}${path}'`,
    );
  await tellLink(asker(apiUrl, dao.token), campaigns);
  console.log('\nThe chain goes on. Ctrl-C stops; the next start goes on from here.');
}

async function tableOf(apiUrl: string, daos: DemoDao[]): Promise<string> {
  const table = new Table({
    style: { head: [], border: [] },
    head: ['DAO', 'address', 'crowdfunding', 'holders', 'proposals', 'campaigns'],
  });
  for (const { address, token } of daos) {
    const ask = asker(apiUrl, token);
    const dao = await ask(`daos/${address}`);
    const totals = await Promise.all(
      ['holders', 'proposals', 'crowdfundings'].map(
        async (list) => (await ask(`daos/${address}/${list}?limit=1`))['total'],
      ),
    );
    table.push([dao['name'], address, dao['crowdfunding_status'], ...totals].map(String));
  }
  return table.toString();
}

/** A contribution to the first campaign that is open to everybody, to be signed with a wallet of the devnet. */
async function tellLink(ask: Ask, campaigns: StoryFacts['campaigns']): Promise<void> {
  const open = campaigns.filter(
    ({ currency, status, hasWhitelist }) => currency === 'native' && status === 'active' && !hasWhitelist,
  );
  for (const { address } of open) {
    const link = await ask(`crowdfunding/campaigns/${address}/contribution-link?amount=1000000000`);
    const uri = (link['tonTransfer'] as { uri: string } | undefined)?.uri;
    if (uri === undefined) continue;
    console.log(
      `\nA link that contributes 1 coin to ${address}; sign it with a wallet of the hand-over file:\n`,
    );
    console.log(`${renderUnicodeCompact(uri, { ecc: 'L' })}\n\n${uri}`);
    return;
  }
}

function asker(apiUrl: string, token: string): Ask {
  return async (path) => {
    const response = await fetch(`${apiUrl}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return (await response.json()) as Record<string, unknown>;
  };
}
