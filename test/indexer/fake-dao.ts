import { Address, beginCell, Cell, contractAddress, internal, type Message } from '@ton/core';
import { storeDaoStorage } from '../../shared/contracts/dao/storage.ts';
import { changeContent } from '../../shared/contracts/governance/change-content.ts';
import { executeProposal } from '../../shared/contracts/governance/execute-proposal.ts';
import { initProposal } from '../../shared/contracts/governance/init-proposal.ts';
import { type PluginType, pluginTypeNumber } from '../../shared/contracts/governance/plugin-info.ts';
import { upgrade } from '../../shared/contracts/governance/upgrade.ts';
import { offChainContent } from '../../shared/contracts/jetton/content.ts';
import { noForwardPayload } from '../../shared/contracts/jetton/forward-payload.ts';
import { jettonInternalTransfer } from '../../shared/contracts/jetton/internal-transfer.ts';
import { storeMinterStorage } from '../../shared/contracts/jetton/minter-storage.ts';
import { storeWalletStorage } from '../../shared/contracts/jetton/wallet-storage.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { storeProposalStorage } from '../../shared/contracts/proposal/storage.ts';
import { addPlugin } from '../../shared/contracts/proposal-payload/add-plugin.ts';
import { upgradeContract } from '../../shared/contracts/proposal-payload/upgrade-contract.ts';
import { codeOf } from '../devnet/contracts/codes.ts';
import type { FakeChain, Happening } from './fake-chain.ts';

/** The real code of the registered GP wallet: its storage is read by its hash. */
export const walletCode = codeOf('gp-wallet');
export const unknownCode = (name: string): Cell => beginCell().storeStringTail(name).endCell();
export const stranger = addressOf('stranger');

/** A DAO on a fake chain: its contracts do what a test tells them to. */
export class FakeDao {
  readonly chain: FakeChain;
  readonly address: Address;
  readonly minter: Address;
  readonly daoCode: Cell;
  readonly data: Cell;
  private proposals = 0n;

  constructor(chain: FakeChain, name = 'harbour', plugins: Address[] = [], metadataUri?: string) {
    this.chain = chain;
    this.minter = addressOf(`${name} minter`);
    this.daoCode = unknownCode(`${name} dao`);
    const content = metadataUri === undefined ? beginCell().endCell() : offChainContent(metadataUri);
    const minterData = beginCell()
      .store(storeMinterStorage({ totalSupply: 0n, admin: stranger, content, walletCode }))
      .endCell();
    this.data = beginCell()
      .store(
        storeDaoStorage({
          owner: stranger,
          jettonMinter: this.minter,
          successPercentage: 5000,
          nextProposalId: 0n,
          name,
          plugins: new Map(
            plugins.map((plugin) => [
              plugin,
              { type: 0, index: null, name: null, crowdfundingMasterHash: null },
            ]),
          ),
          proposalCode: unknownCode('proposal'),
        }),
      )
      .endCell();
    const init = { code: this.daoCode, data: this.data };
    this.address = contractAddress(0, init);
    // The minter is older than its DAO.
    const minterInit = { code: unknownCode('minter'), data: minterData };
    chain.transact(this.minter, { in: toMessage(this.minter, undefined, minterInit), state: minterInit });
    chain.transact(this.address, { in: toMessage(this.address, undefined, init), state: init });
  }

  get raw(): string {
    return this.address.toRawString();
  }

  walletOf(owner: Address): Address {
    return contractAddress(0, this.walletInit(owner));
  }

  walletInit(owner: Address, minter = this.minter) {
    const data = beginCell()
      .store(storeWalletStorage({ balance: 0n, owner, minter }))
      .endCell();
    return { code: walletCode, data };
  }

  /** The minter mints; the wallet receives. */
  mint(owner: Address): void {
    this.deliver(this.minter, this.walletInit(owner));
  }

  /** One wallet sends to another, which is deployed by it if need be. */
  transfer(from: Address, to: Address): void {
    this.deliver(this.walletOf(from), this.walletInit(to));
  }

  propose(): Address {
    const storage = storeProposalStorage({ dao: this.address, proposalId: this.proposals });
    this.proposals += 1n;
    const init = { code: unknownCode('proposal'), data: beginCell().store(storage).endCell() };
    const proposal = contractAddress(0, init);
    const body = bodyOf(initProposal, {
      queryId: 0n,
      initiator: stranger,
      jettonMinter: this.minter,
      successPercentage: 5000,
      duration: 60,
      name: 'a',
      description: 'b',
      payload: Cell.EMPTY,
    });
    const [message] = this.chain.transact(this.address, {
      in: toMessage(this.address),
      out: [{ to: proposal, body, init }],
    });
    this.chain.transact(proposal, { ...(message && { in: message }), state: init });
    return proposal;
  }

  addPlugin(plugin: Address, happening: Partial<Happening> = {}, type: PluginType = 'subaccount'): void {
    const info = { type: pluginTypeNumber(type), index: 1, name: null, crowdfundingMasterHash: null };
    this.execute(bodyOf(addPlugin, { plugin, info }), happening);
  }

  /** The message names `code`; what the account has afterwards may be something else. */
  upgrade(code: Cell, data: Cell, truth = code): void {
    this.execute(bodyOf(upgradeContract, { target: this.address, code }), { state: { code: truth, data } });
  }

  upgradeMinter(code: Cell, data: Cell): void {
    const body = bodyOf(upgrade, { queryId: 0n, code });
    this.chain.transact(this.minter, { in: toMessage(this.minter, body), state: { code, data } });
  }

  changeContent(uri: string): void {
    const body = bodyOf(changeContent, { queryId: 0n, content: offChainContent(uri) });
    this.chain.transact(this.minter, { in: toMessage(this.minter, body) });
  }

  execute(payload: Cell, happening: Partial<Happening>): void {
    const body = bodyOf(executeProposal, { queryId: 0n, proposalId: 0n, payload });
    this.chain.transact(this.address, { in: toMessage(this.address, body), ...happening });
  }

  private deliver(from: Address, init: { code: Cell; data: Cell }): void {
    const to = contractAddress(0, init);
    const [message] = this.chain.transact(from, {
      in: toMessage(from),
      out: [{ to, body: internalTransferBody(), init }],
    });
    this.chain.transact(to, { ...(message && { in: message }), state: init });
  }
}

export function internalTransferBody(): Cell {
  return bodyOf(jettonInternalTransfer, {
    queryId: 0n,
    amount: 1n,
    from: null,
    responseAddress: null,
    forwardTonAmount: 0n,
    forwardPayload: noForwardPayload,
  });
}

/** A message from a stranger. */
export function toMessage(to: Address, body: Cell = Cell.EMPTY, init?: { code: Cell; data: Cell }): Message {
  const message = internal({ to, value: 1_000_000_000n, bounce: true, body, ...(init && { init }) });
  return { body, init: init ?? null, info: { ...message.info, src: stranger } };
}

export function addressOf(name: string): Address {
  return new Address(0, beginCell().storeStringTail(name).endCell().hash());
}
