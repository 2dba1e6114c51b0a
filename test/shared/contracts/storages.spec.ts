import { type Builder, beginCell, type Slice } from '@ton/core';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  loadCampaignStorage,
  loadCrowdfundingStorage,
  loadLpManagerStorage,
  loadShareStorage,
  loadSubaccountStorage,
  storageCell,
  storeCampaignStorage,
  storeCrowdfundingStorage,
  storeLpManagerStorage,
  storeShareStorage,
  storeSubaccountStorage,
} from '../../../shared/contracts/crowdfunding/storages.ts';
import { loadDaoStorage, storeDaoStorage } from '../../../shared/contracts/dao/storage.ts';
import { loadMinterStorage, storeMinterStorage } from '../../../shared/contracts/jetton/minter-storage.ts';
import { loadWalletStorage, storeWalletStorage } from '../../../shared/contracts/jetton/wallet-storage.ts';
import { loadProposalStorage, storeProposalStorage } from '../../../shared/contracts/proposal/storage.ts';
import { address, amount, cell, comparable, maybeAddress, number, queryId, text } from './schema-cases.ts';

/** A storage that is read back as it was written. */
function describeStorage<T>(
  name: string,
  fields: { [K in keyof T]: fc.Arbitrary<T[K]> },
  load: (slice: Slice) => T,
  store: (storage: T) => (builder: Builder) => void,
): void {
  it(`of ${name} is read as it was written`, () => {
    fc.assert(
      fc.property(fc.record(fields), (storage) => {
        const written = storageCell(store(storage));
        expect(comparable(load(written.beginParse()))).to.deep.equal(comparable(storage));
      }),
      { numRuns: 50 },
    );
  });
}

describe('a storage', () => {
  const [dao, index] = [address, number(32)];
  describeStorage(
    'a DAO',
    {
      owner: address,
      jettonMinter: address,
      successPercentage: number(16),
      nextProposalId: queryId,
      name: text,
      plugins: fc.constant(new Map()),
      proposalCode: cell,
    },
    loadDaoStorage,
    storeDaoStorage,
  );
  describeStorage(
    'a jetton minter',
    { totalSupply: amount, admin: maybeAddress, content: cell, walletCode: cell },
    loadMinterStorage,
    storeMinterStorage,
  );
  describeStorage(
    'a jetton wallet',
    { balance: amount, owner: address, minter: address },
    loadWalletStorage,
    storeWalletStorage,
  );
  describeStorage('a proposal', { dao, proposalId: queryId }, loadProposalStorage, storeProposalStorage);
  describeStorage(
    'a crowdfunding plugin',
    { dao, nextCampaignId: queryId, campaignCode: cell, helperCode: cell, vaultCode: cell },
    loadCrowdfundingStorage,
    storeCrowdfundingStorage,
  );
  describeStorage(
    'an LP manager',
    { dao, index, crowdfunding: address, minterCode: cell, walletCode: cell },
    loadLpManagerStorage,
    storeLpManagerStorage,
  );
  describeStorage(
    'a campaign',
    { crowdfunding: address, campaignId: queryId },
    loadCampaignStorage,
    storeCampaignStorage,
  );
  describeStorage(
    'a helper or a vault',
    { campaign: address, owner: address },
    loadShareStorage,
    storeShareStorage,
  );
  describeStorage('a subaccount', { dao, index, name: text }, loadSubaccountStorage, storeSubaccountStorage);

  it('that is too short is refused', () => {
    expect(() => loadDaoStorage(beginCell().storeUint(0, 8).endCell().beginParse())).to.throw();
  });
});
