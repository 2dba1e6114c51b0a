import { type Address, type Builder, beginCell, type Cell, contractAddress } from '@ton/core';
import { addContribution } from '../../shared/contracts/crowdfunding/add-contribution.ts';
import { initCampaign } from '../../shared/contracts/crowdfunding/init-campaign.ts';
import { initLpManager } from '../../shared/contracts/crowdfunding/init-lp-manager.ts';
import { initVault } from '../../shared/contracts/crowdfunding/init-vault.ts';
import { registerCampaign } from '../../shared/contracts/crowdfunding/register-campaign.ts';
import {
  storageCell,
  storeCampaignStorage,
  storeShareStorage,
} from '../../shared/contracts/crowdfunding/storages.ts';
import { upgrade } from '../../shared/contracts/governance/upgrade.ts';
import { offChainContent, onChainContent } from '../../shared/contracts/jetton/content.ts';
import { storeMinterStorage } from '../../shared/contracts/jetton/minter-storage.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { codeOf } from '../devnet/contracts/codes.ts';
import type { FakeChain, Out } from './fake-chain.ts';
import {
  addressOf,
  type FakeDao,
  internalTransferBody,
  stranger,
  toMessage,
  unknownCode,
} from './fake-dao.ts';

interface Init {
  code: Cell;
  data: Cell;
}

/** The real code of the registered LP wallet: its storage is read by its hash. */
const lpWalletCode = codeOf('lp-wallet');

/** The crowdfunding of a fake DAO: one plugin, one LP manager, what they deploy. */
export class FakeCrowdfunding {
  readonly plugin: Address;
  readonly manager: Address;
  readonly lpMinter: Address;
  readonly campaigns: Address[] = [];
  private readonly chain: FakeChain;
  private readonly dao: FakeDao;
  private readonly minterInit: Init;

  constructor(dao: FakeDao, name = 'harbour', lpUri?: string) {
    this.dao = dao;
    this.chain = dao.chain;
    this.plugin = addressOf(`${name} crowdfunding`);
    this.manager = addressOf(`${name} manager`);
    const content = lpUri === undefined ? onChainContent({ symbol: 'LP' }) : offChainContent(lpUri);
    const minter = { totalSupply: 0n, admin: this.manager, content, walletCode: lpWalletCode };
    this.minterInit = {
      code: unknownCode(`${name} lp minter`),
      data: storageCell(storeMinterStorage(minter)),
    };
    this.lpMinter = contractAddress(0, this.minterInit);
  }

  /** Plugin and manager, which are there before the DAO adds them. */
  deploy(): void {
    for (const plugin of [this.plugin, this.manager]) {
      const state = initOf(plugin.toRawString(), () => undefined);
      this.chain.transact(plugin, { in: toMessage(plugin, undefined, state), state });
    }
    const content = onChainContent({ symbol: 'LP' });
    this.send(
      this.manager,
      [{ to: this.lpMinter, init: this.minterInit }],
      bodyOf(initLpManager, { queryId: 0n, content }),
    );
  }

  /** Both added in their own roles. */
  install(): void {
    this.dao.addPlugin(this.plugin, {}, 'crowdfunding');
    this.dao.addPlugin(this.manager, {}, 'lp_manager');
  }

  start(name: string, currency: Address | null = null, dao = this.dao.address): Address {
    const campaignId = BigInt(this.campaigns.length);
    const init = initOf('campaign', storeCampaignStorage({ crowdfunding: this.plugin, campaignId }));
    const campaign = contractAddress(0, init);
    this.campaigns.push(campaign);
    const body = bodyOf(initCampaign, {
      queryId: 0n,
      dao,
      params: { ...this.params, name, currency },
      helperCode: unknownCode('helper'),
      vaultCode: unknownCode('vault'),
    });
    this.send(this.plugin, [
      { to: this.manager, body: bodyOf(registerCampaign, { queryId: 0n, campaign }) },
      { to: campaign, body, init },
    ]);
    return campaign;
  }

  contribute(campaign: Address, owner: Address): Address {
    const body = bodyOf(addContribution, { queryId: 0n, amount: 1n, maxPerUser: 0n });
    return this.deployShare(campaign, initOf('helper', storeShareStorage({ campaign, owner })), body);
  }

  openVault(campaign: Address, owner: Address): Address {
    const schedule = { start: 0, cliff: 0, duration: 1, tgeBps: 0 };
    const body = bodyOf(initVault, { queryId: 0n, total: 1n, schedule, lpMinter: this.lpMinter });
    return this.deployShare(campaign, initOf('vault', storeShareStorage({ campaign, owner })), body);
  }

  upgradeCampaign(campaign: Address, code: Cell): void {
    const body = bodyOf(upgrade, { queryId: 0n, code });
    const state = { code, data: beginCell().endCell() };
    this.chain.transact(campaign, { in: toMessage(campaign, body), state });
  }

  /** LP jettons for an owner. */
  issue(owner: Address): Address {
    return this.deliver(this.lpMinter, owner);
  }

  transfer(from: Address, to: Address): Address {
    return this.deliver(this.walletOf(from), to);
  }

  walletOf(owner: Address): Address {
    return contractAddress(0, this.walletInit(owner));
  }

  walletInit(owner: Address): Init {
    const data = beginCell().storeCoins(0).storeAddress(owner).storeAddress(this.lpMinter).endCell();
    return { code: lpWalletCode, data };
  }

  private get params() {
    return {
      operator: stranger,
      lpManager: this.manager,
      minTotal: 1n,
      maxTotal: 2n,
      minPerUser: 0n,
      maxPerUser: 0n,
      lpPrice: 1n,
      startTime: 1,
      endTime: 2,
      managementFee: 0,
      hasWhitelist: false,
      lpMinter: this.lpMinter,
      destination: stranger,
      feeManager: stranger,
      description: 'about it',
      vesting: null,
    };
  }

  private deliver(from: Address, owner: Address): Address {
    const [init, to] = [this.walletInit(owner), this.walletOf(owner)];
    this.send(from, [{ to, body: internalTransferBody(), init }]);
    return to;
  }

  private deployShare(campaign: Address, init: Init, body: Cell): Address {
    const to = contractAddress(0, init);
    this.send(campaign, [{ to, body, init }]);
    return to;
  }

  /** An account sends; whoever is deployed receives. */
  private send(from: Address, out: Out[], body?: Cell): void {
    const messages = this.chain.transact(from, { in: toMessage(from, body), out });
    for (const [index, { to, init }] of out.entries()) {
      const message = messages[index];
      const { code, data } = init ?? {};
      if (message && code && data) this.chain.transact(to, { in: message, state: { code, data } });
    }
  }
}

/** Any code will do: on a fake chain nobody runs it. */
function initOf(name: string, storage: (builder: Builder) => void): Init {
  return { code: unknownCode(name), data: storageCell(storage) };
}
