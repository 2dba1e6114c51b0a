import { Address, beginCell, type TupleReader } from '@ton/core';
import { expect } from 'chai';
import {
  type CampaignParams,
  loadCampaignParams,
} from '../../shared/contracts/crowdfunding/campaign-params.ts';
import { isoTime } from '../../shared/iso-time.ts';
import { type IndexedStory, indexStory } from './harness.ts';
import { type Body, Look, sumOf } from './look.ts';

interface Participant extends Body {
  campaigns: (Body & { vesting?: Body })[];
  totalInvested: string;
  totalLpHeld: string;
  totalLpVesting: string;
  activeCount: number;
}

const statuses = ['active', 'successful', 'failed', 'emergency_withdrawn'];

describe('the crowdfunding of the story equals what the contracts answer', () => {
  let story: IndexedStory;
  let look: Look;
  let dao: string;
  let campaigns: Body[];

  before(async () => {
    story = await indexStory();
    await story.caughtUp();
    look = new Look(story);
    dao = story.devnet.story.daos.find(({ version }) => version === '6.1')?.address ?? '';
    campaigns = await look.items(`campaigns/${dao}`);
  });

  after(() => story.close());

  it('campaigns of every status, native and jetton, with and without vesting and whitelist', async () => {
    const told = story.devnet.story.campaigns;
    expect(
      campaigns.map(({ address, status, isNative, hasVesting, hasWhitelist }) => ({
        address,
        status,
        isNative,
        hasVesting,
        hasWhitelist,
      })),
    ).to.have.deep.members(
      told.map(({ address, currency, status, hasVesting, hasWhitelist }) => ({
        address,
        status,
        isNative: currency === 'native',
        hasVesting,
        hasWhitelist,
      })),
    );
    for (const status of statuses) {
      const listed = await look.items(`campaigns/${dao}/${status}`);
      expect(listed, status).to.deep.equal(campaigns.filter((campaign) => campaign['status'] === status));
      expect(listed.length, status).to.be.greaterThan(0);
    }
  });

  it('terms, totals and state of every campaign', async () => {
    for (const campaign of campaigns) {
      const onChain = await look.get(String(campaign['address']), 'get_campaign_data');
      expect(campaign['status']).to.equal(statuses[onChain.readNumber()]);
      expect(campaign['paused']).to.equal(onChain.readBoolean());
      expect(campaign['totalAmount']).to.equal(onChain.readBigNumber().toString());
      onChain.skip();
      expect(campaign['totalClaimed']).to.equal(onChain.readBigNumber().toString());
      expect(campaign['totalRefunded']).to.equal(onChain.readBigNumber().toString());
      expect(campaign['daoFeeClaimed']).to.equal(onChain.readBoolean());
      const finishedAt = onChain.readNumber();
      expect(campaign['finishedAt']).to.equal(finishedAt === 0 ? undefined : isoTime(finishedAt));
      expectTerms(campaign, loadCampaignParams(onChain.readCell().beginParse()));
    }
  });

  it('the sum over participants is the total of each campaign, for contributions, claims and refunds', async () => {
    for (const campaign of campaigns) {
      const helpers = await helpersOf(String(campaign['address']));
      const amounts = (of: (helper: Body) => unknown) => helpers.filter(of).map(({ amount }) => amount);
      expect(sumOf(amounts(() => true))).to.equal(campaign['totalAmount']);
      expect(sumOf(amounts(({ isClaimed }) => isClaimed))).to.equal(campaign['totalClaimed']);
      expect(sumOf(amounts(({ isRefunded }) => isRefunded))).to.equal(campaign['totalRefunded']);
    }
  });

  it('every helper, and its place in the document of its participant', async () => {
    const helpers = await look.accounts(dao, 'helper');
    const owners = new Set<string>();
    for (const { account } of helpers) {
      const onChain = await look.get(account, 'get_helper_data');
      const [campaign, owner] = [onChain.readAddress().toRawString(), onChain.readAddress().toRawString()];
      const amount = onChain.readBigNumber();
      const participant = await look.document<Participant>('participants', `${dao}/${owner}`);
      const share = participant?.campaigns.find(({ campaignAddress }) => campaignAddress === campaign);
      if (amount === 0n) {
        expect(share).to.equal(undefined);
        continue;
      }
      owners.add(owner);
      expect(share).to.include({
        helperAddress: account,
        amount: amount.toString(),
        isClaimed: onChain.readBoolean(),
        isRefunded: onChain.readBoolean(),
      });
      expect(share?.['lpBalance']).to.equal(await lpBalance(campaign, owner));
    }
    expect(owners.size).to.be.at.least(300);
    for (const owner of owners) await expectTotals(owner);
  });

  it('every vesting vault', async () => {
    const vaults = await look.accounts(dao, 'vesting_vault');
    expect(vaults.length).to.be.greaterThan(0);
    for (const { account } of vaults) {
      const onChain = await look.get(account, 'get_vault_data');
      const initialised = onChain.readBoolean();
      const [campaign, owner] = [onChain.readAddress().toRawString(), onChain.readAddress().toRawString()];
      const participant = await look.document<Participant>('participants', `${dao}/${owner}`);
      const vesting = participant?.campaigns.find(
        ({ campaignAddress }) => campaignAddress === campaign,
      )?.vesting;
      expect(vesting).to.deep.equal(vestingOnChain(account, initialised, onChain));
    }
  });

  it('LP supply is the sum of LP holders, whose balances are those of their wallets', async () => {
    const masters = await look.items<{ lpJettonMasterAddress: string; campaignAddresses: string[] }>(
      `lp_masters/${dao}`,
    );
    expect(masters.flatMap(({ campaignAddresses }) => campaignAddresses)).to.have.members(
      campaigns.map(({ address }) => address),
    );
    for (const { lpJettonMasterAddress } of masters) {
      const holders = await look.items(`lp_holders/${dao}/${lpJettonMasterAddress}`);
      const supply = (await look.get(lpJettonMasterAddress, 'get_jetton_data')).readBigNumber();
      expect(sumOf(holders.map(({ balance }) => balance))).to.equal(supply.toString());
      for (const { lpJettonWalletAddress, balance } of holders)
        expect(balance).to.equal(
          (await look.get(String(lpJettonWalletAddress), 'get_wallet_data')).readBigNumber().toString(),
        );
    }
  });

  it('every entry of a whitelist is known, the 1,001st and later ones too', async () => {
    let largest = 0;
    for (const { address } of campaigns.filter((campaign) => campaign['hasWhitelist'])) {
      const listed = await look.items<string>(`whitelist/${String(address)}`);
      largest = Math.max(largest, listed.length);
      for (const member of listed.filter((_, index) => index % 100 === 0 || index > 1000)) {
        const args = [{ type: 'slice' as const, cell: addressCell(member) }];
        expect((await look.get(String(address), 'is_whitelisted', args)).readBoolean(), member).to.equal(
          true,
        );
      }
    }
    expect(largest).to.be.greaterThan(1000);
  });

  it('plugins show what their LP managers issue', async () => {
    const { plugins } = (await look.document<Body & { plugins: Body[] }>('dao', dao)) ?? { plugins: [] };
    const managers = plugins.filter((plugin) => plugin['lp_jetton_master_address'] !== null);
    expect(managers.length).to.be.greaterThan(1);
    for (const { address, lp_manager_index, lp_jetton_master_address } of managers) {
      const onChain = await look.get(String(address), 'get_lp_manager_data');
      onChain.skip();
      expect(lp_manager_index).to.equal(onChain.readNumber());
      onChain.skip();
      expect(lp_jetton_master_address).to.equal(onChain.readAddress().toRawString());
    }
  });

  async function helpersOf(campaign: string): Promise<Body[]> {
    const contributors = await look.items<{ address: string }>(`contributors/${campaign}`);
    const found = await Promise.all(
      contributors.map(({ address }) => look.document('helpers', `${campaign}/${address}`)),
    );
    return found.filter((helper) => helper !== null);
  }

  async function lpBalance(campaign: string, owner: string): Promise<string> {
    const minter = campaigns.find(({ address }) => address === campaign)?.['lpJettonMasterAddress'];
    const holders = await look.items<{ ownerAddress: string; balance: string }>(
      `lp_holders/${dao}/${String(minter)}`,
    );
    return holders.find(({ ownerAddress }) => ownerAddress === owner)?.balance ?? '0';
  }

  async function expectTotals(owner: string): Promise<void> {
    const participant = await look.document<Participant>('participants', `${dao}/${owner}`);
    if (!participant) throw new Error(`no participant ${owner}`);
    const held = new Map(
      participant.campaigns.map(({ campaignAddress, lpBalance: balance }) => {
        const campaign = campaigns.find(({ address }) => address === campaignAddress);
        return [campaign?.['lpJettonMasterAddress'], balance];
      }),
    );
    const locked = participant.campaigns.flatMap(({ vesting }) =>
      !vesting || vesting['isEmergencyReleased']
        ? []
        : [BigInt(String(vesting['totalLpAmount'])) - BigInt(String(vesting['claimedLpAmount']))],
    );
    expect(participant.totalInvested).to.equal(sumOf(participant.campaigns.map(({ amount }) => amount)));
    expect(participant.totalLpHeld).to.equal(sumOf([...held.values()]));
    expect(participant.totalLpVesting).to.equal(sumOf(locked));
    expect(participant.activeCount).to.equal(
      participant.campaigns.filter(({ isClaimed, isRefunded }) => !isClaimed && !isRefunded).length,
    );
  }
});

function expectTerms(campaign: Body, params: CampaignParams): void {
  const optional = (amount: bigint) => (amount === 0n ? undefined : amount.toString());
  expect(campaign).to.include({
    name: params.name,
    description: params.description,
    lpManagerAddress: params.lpManager.toRawString(),
    lpJettonMasterAddress: params.lpMinter.toRawString(),
    destinationAddress: params.destination.toRawString(),
    feeManagerAddress: params.feeManager.toRawString(),
    minTotalAmount: params.minTotal.toString(),
    minAmountPerUser: params.minPerUser.toString(),
    startTime: isoTime(params.startTime),
    endTime: isoTime(params.endTime),
    lpPrice: params.lpPrice.toString(),
    managementFee: params.managementFee,
    hasWhitelist: params.hasWhitelist,
    hasVesting: params.vesting !== null,
    isNative: params.currency === null,
  });
  expect(campaign['maxTotalAmount']).to.equal(optional(params.maxTotal));
  expect(campaign['maxAmountPerUser']).to.equal(optional(params.maxPerUser));
  expect(campaign['jettonMasterAddress']).to.equal(params.currency?.toRawString());
}

function vestingOnChain(vaultAddress: string, isInitialized: boolean, onChain: TupleReader): Body {
  const [totalLpAmount, claimedLpAmount] = [
    onChain.readBigNumber().toString(),
    onChain.readBigNumber().toString(),
  ];
  const [start, cliff, duration, tge] = [
    onChain.readNumber(),
    onChain.readNumber(),
    onChain.readNumber(),
    onChain.readNumber(),
  ];
  return {
    vaultAddress,
    totalLpAmount,
    claimedLpAmount,
    vestingStart: isoTime(start),
    cliffDuration: cliff,
    vestingDuration: duration,
    tgeUnlockBps: tge,
    vestingEnd: isoTime(start + cliff + duration),
    isInitialized,
    isEmergencyReleased: onChain.readBoolean(),
  };
}

function addressCell(raw: string) {
  return beginCell().storeAddress(Address.parse(raw)).endCell();
}
