import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Address, toNano } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import { expect } from 'chai';
import pino from 'pino';
import { parseJwtKeys } from '../../api/jwt-keys.ts';
import { createJettonWalletResolver } from '../../api/links/jetton-wallet.ts';
import { type RunningServer, startApi } from '../../api/server.ts';
import { issueToken } from '../../api/tokens.ts';
import { createChainClient } from '../../shared/chain/chain-client.ts';
import { contribute } from '../../shared/contracts/crowdfunding/contribute.ts';
import { requestClaimLpTokens } from '../../shared/contracts/crowdfunding/request-claim-lp-tokens.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import type { StoryFacts } from '../devnet/story/facts.ts';
import { type IndexedStory, indexStory } from './harness.ts';
import { readLink, type Transfer, Wallet } from './wallet.ts';

interface Link {
  tonTransfer: { uri: string };
  details: { to: string; valueNanoton: string; bodyBocBase64Url: string };
  warnings: string[];
  vesting?: { phase: string; claimableAmount: string; totalLpAmount: string };
}

interface Share {
  campaignAddress: string;
  amount: string;
  lpBalance: string;
  isClaimed: boolean;
  vesting?: { totalLpAmount: string; claimedLpAmount: string; isInitialized: boolean };
}

type Campaign = StoryFacts['campaigns'][number];
type StoryWallet = StoryFacts['wallets'][number];

/** Every link is taken from the HTTP answer, read, signed and sent as a wallet does. */
describe('links are accepted by the chain, and what the API refuses is refused there', function () {
  this.timeout(5 * 60_000);
  let story: IndexedStory;
  let api: RunningServer;
  let client: TonClient4;
  let token: string;
  let dao: string;

  before(async () => {
    story = await indexStory();
    await story.caughtUp();
    client = new TonClient4({ endpoint: story.devnet.url });
    dao = story.devnet.story.daos.find(({ version }) => version === '6.1')?.address ?? '';
    const secret = randomBytes(32).toString('base64');
    const keys = parseJwtKeys(JSON.stringify([{ kid: 'test', alg: 'HS256', secret }]));
    token = issueToken(keys, { dao, ttlSeconds: 3600 }).token;
    const { store, revocations } = story.stores;
    const chain = createChainClient({ endpoints: [{ url: story.devnet.url }] });
    const links = { network: 'mainnet' as const, resolveJettonWallet: createJettonWalletResolver(chain) };
    api = await startApi({ store, revocations, keys, links, log: pino({ level: 'silent' }), port: 0 });
  });

  after(async () => {
    await api.close();
    await story.close();
  });

  for (const currency of ['native', 'jetton'] as const)
    it(`contribution, ${currency}: counts in the campaign and for the wallet`, async () => {
      const [campaign] = open(currency, false);
      const owner = walletsOf('contributor')[0] as StoryWallet;
      const amount = await smallest(campaign as Campaign);
      const before = await share(owner, campaign as Campaign);
      const link = await contributionLink(campaign as Campaign, owner, amount);
      expect(link.warnings).to.deep.equal([]);
      await sendLink(owner, link);
      await until(async () => {
        const after = await share(owner, campaign as Campaign);
        return BigInt(after?.amount ?? 0) - BigInt(before?.amount ?? 0) === amount;
      });
    });

  it('contribution by a whitelisted wallet', async () => {
    for (const owner of walletsOf('whitelisted')) {
      const campaign = campaignOf(owner);
      const amount = await smallest(campaign);
      const before = await share(owner, campaign);
      const link = await contributionLink(campaign, owner, amount);
      expect(link.warnings).to.deep.equal(
        campaign.currency === 'native' ? ['whitelist_enforced_on_chain'] : [],
      );
      await sendLink(owner, link);
      await until(async () => {
        const after = await share(owner, campaign);
        return BigInt(after?.amount ?? 0) - BigInt(before?.amount ?? 0) === amount;
      });
    }
  });

  it('initial claim, with and without vesting: LP jettons in the wallet or in its vault', async () => {
    const seen = new Set<boolean>();
    for (const owner of walletsOf('claimable')) {
      const campaign = campaignOf(owner);
      const before = await share(owner, campaign);
      expect(before?.isClaimed).to.equal(false);
      const link = await get<Link>(`${campaignPath(campaign)}/claim-link?owner_address=${owner.address}`);
      expect(link.warnings).to.deep.equal([]);
      expect(link.vesting !== undefined).to.equal(campaign.hasVesting);
      await sendLink(owner, link);
      await until(async () => {
        const after = await share(owner, campaign);
        if (!after?.isClaimed) return false;
        if (!campaign.hasVesting) return BigInt(after.lpBalance) > BigInt(before?.lpBalance ?? 0);
        return (
          after.vesting?.isInitialized === true && after.vesting.totalLpAmount === link.vesting?.totalLpAmount
        );
      });
      const again = await refused(`${campaignPath(campaign)}/claim-link?owner_address=${owner.address}`);
      expect(again).to.deep.equal([409, 'already_claimed']);
      seen.add(campaign.hasVesting);
    }
    expect([...seen]).to.have.members([true, false]);
  });

  it('vested claim, in each phase in which something waits: at least what the link told', async () => {
    const phases = new Set<string>();
    for (const owner of walletsOf('vesting')) {
      const campaign = campaignOf(owner);
      const before = await share(owner, campaign);
      const link = await get<Link>(
        `${campaignPath(campaign)}/vesting-claim-link?owner_address=${owner.address}`,
      );
      expect(link.warnings).to.deep.equal([]);
      phases.add(link.vesting?.phase ?? '');
      await sendLink(owner, link);
      await until(async () => {
        const after = await share(owner, campaign);
        const claimed =
          BigInt(after?.vesting?.claimedLpAmount ?? 0) - BigInt(before?.vesting?.claimedLpAmount ?? 0);
        const arrived = BigInt(after?.lpBalance ?? 0) - BigInt(before?.lpBalance ?? 0);
        return claimed >= BigInt(link.vesting?.claimableAmount ?? 0) && claimed > 0n && arrived === claimed;
      });
    }
    expect([...phases]).to.have.members(['cliff', 'vesting', 'fully_vested', 'released']);
  });

  it('a paused campaign and an ended one: 409, and the contract sends the coins back', async () => {
    const owner = walletsOf('contributor')[0] as StoryWallet;
    const amount = toNano('5');
    const body = bodyOf(contribute, { queryId: 0n, amount });
    const closed = story.devnet.story.campaigns.filter(
      ({ currency, hasWhitelist }) => currency === 'native' && !hasWhitelist,
    );
    const codes = new Set<string>();
    for (const campaign of closed) {
      const { paused, status, minAmountPerUser } = await campaignBody(campaign);
      if (!paused && status === 'active') continue;
      const wanted = minAmountPerUser > '0' ? minAmountPerUser : '1';
      const [code, error] = await refused(`${campaignPath(campaign)}/contribution-link?amount=${wanted}`);
      expect(code).to.equal(409);
      codes.add(error);
      await expectNothing(owner, campaign, { to: campaign.address, value: amount + toNano('0.2'), body });
    }
    expect([...codes]).to.include.members(['campaign_paused', 'campaign_not_active']);
  });

  it('a wallet that is not on the whitelist of a jetton campaign: 403', async () => {
    const owner = walletsOf('contributor')[0] as StoryWallet;
    const [campaign] = open('jetton', true) as [Campaign];
    const query = `amount=${await smallest(campaign)}&investor_address=${owner.address}`;
    expect(await refused(`${campaignPath(campaign)}/contribution-link?${query}`)).to.deep.equal([
      403,
      'not_whitelisted',
    ]);
  });

  it('a claim by somebody else than the owner of the helper is refused by the helper', async () => {
    const stranger = walletsOf('contributor')[0] as StoryWallet;
    const owner = walletsOf('vesting')[0] as StoryWallet;
    const participant = await get<{ campaigns: { campaignAddress: string; helperAddress: string }[] }>(
      `daos/${dao}/participants/${owner.address}`,
    );
    const campaign = campaignOf(owner);
    const helper = participant.campaigns.find(({ campaignAddress }) => campaignAddress === campaign.address);
    const body = bodyOf(requestClaimLpTokens, { queryId: 0n });
    await expectNothing(stranger, campaign, { to: helper?.helperAddress ?? '', value: toNano('0.2'), body });
  });

  /** Sends it and sees the coins come back and the campaign as it was. */
  async function expectNothing(owner: StoryWallet, campaign: Campaign, transfer: Transfer): Promise<void> {
    const [before, reached] = [await campaignBody(campaign), await lastLt(transfer.to)];
    await (await Wallet.open(client, owner)).send(transfer);
    await until(async () => (await lastLt(transfer.to)) > reached);
    await until(async () => (await lastLt(owner.address)) > (await lastLt(transfer.to)));
    await story.caughtUp();
    expect(await campaignBody(campaign)).to.deep.equal({
      ...before,
      updatedAt: (await campaignBody(campaign)).updatedAt,
    });
  }

  async function sendLink(owner: StoryWallet, link: Link): Promise<void> {
    const transfer = readLink(link.tonTransfer.uri);
    expect(link.details.to).to.equal(transfer.to);
    expect(link.details.valueNanoton).to.equal(transfer.value.toString());
    await (await Wallet.open(client, owner)).send(transfer);
  }

  function contributionLink({ address }: Campaign, owner: StoryWallet, amount: bigint): Promise<Link> {
    const query = `amount=${amount}&investor_address=${owner.address}&query_id=18446744073709551615`;
    return get<Link>(`crowdfunding/campaigns/${address}/contribution-link?${query}`);
  }

  function walletsOf(role: string): StoryWallet[] {
    const found = story.devnet.story.wallets.filter(({ roles }) => roles.includes(role));
    expect(found, role).to.have.length.above(0);
    return found;
  }

  function campaignOf({ campaign }: StoryWallet): Campaign {
    return story.devnet.story.campaigns.find(({ address }) => address === campaign) as Campaign;
  }

  function open(currency: Campaign['currency'], hasWhitelist: boolean): Campaign[] {
    return story.devnet.story.campaigns.filter(
      (campaign) =>
        campaign.currency === currency &&
        campaign.status === 'active' &&
        campaign.hasWhitelist === hasWhitelist,
    );
  }

  function campaignPath({ address }: Campaign): string {
    return `crowdfunding/campaigns/${address}`;
  }

  async function smallest(campaign: Campaign): Promise<bigint> {
    const { minAmountPerUser } = await campaignBody(campaign);
    return BigInt(minAmountPerUser) > 0n ? BigInt(minAmountPerUser) : 1n;
  }

  async function campaignBody({ address }: Campaign): Promise<CampaignBody> {
    const { items } = await get<{ items: CampaignBody[] }>(`daos/${dao}/crowdfundings?limit=1000`);
    return items.find((campaign) => campaign.address === address) as CampaignBody;
  }

  async function share(owner: StoryWallet, { address }: Campaign): Promise<Share | undefined> {
    const response = await ask(`daos/${dao}/participants/${owner.address}`);
    const { campaigns = [] } = (await response.json()) as { campaigns?: Share[] };
    return campaigns.find(({ campaignAddress }) => campaignAddress === address);
  }

  async function get<T>(path: string): Promise<T> {
    const response = await ask(path);
    const body = await response.text();
    expect(response.status, `${path} ${body}`).to.equal(200);
    return JSON.parse(body) as T;
  }

  async function refused(path: string): Promise<[number, string]> {
    const response = await ask(path);
    const { error } = (await response.json()) as { error: string };
    return [response.status, error];
  }

  function ask(path: string): Promise<Response> {
    return fetch(`${api.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  }

  async function lastLt(address: string): Promise<bigint> {
    const { last } = await client.getLastBlock();
    const { account } = await client.getAccountLite(last.seqno, Address.parse(address));
    return BigInt(account.last?.lt ?? 0);
  }
});

interface CampaignBody {
  address: string;
  status: string;
  paused: boolean;
  minAmountPerUser: string;
  updatedAt: string;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(50);
}
