import { Address, beginCell } from '@ton/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { castVote } from '../../../shared/contracts/governance/cast-vote.ts';
import { changeAdmin } from '../../../shared/contracts/governance/change-admin.ts';
import { changeContent } from '../../../shared/contracts/governance/change-content.ts';
import { createProposal } from '../../../shared/contracts/governance/create-proposal.ts';
import { executeProposal } from '../../../shared/contracts/governance/execute-proposal.ts';
import { initProposal } from '../../../shared/contracts/governance/init-proposal.ts';
import { mint } from '../../../shared/contracts/governance/mint.ts';
import { provideVotingData } from '../../../shared/contracts/governance/provide-voting-data.ts';
import { retryInit } from '../../../shared/contracts/governance/retry-init.ts';
import { startCampaign } from '../../../shared/contracts/governance/start-campaign.ts';
import { takeVotingData } from '../../../shared/contracts/governance/take-voting-data.ts';
import { upgrade } from '../../../shared/contracts/governance/upgrade.ts';
import { vote } from '../../../shared/contracts/governance/vote.ts';
import { jettonBurn } from '../../../shared/contracts/jetton/burn.ts';
import { jettonBurnNotification } from '../../../shared/contracts/jetton/burn-notification.ts';
import { excesses } from '../../../shared/contracts/jetton/excesses.ts';
import { jettonInternalTransfer } from '../../../shared/contracts/jetton/internal-transfer.ts';
import { provideWalletAddress } from '../../../shared/contracts/jetton/provide-wallet-address.ts';
import { takeWalletAddress } from '../../../shared/contracts/jetton/take-wallet-address.ts';
import { jettonTransfer } from '../../../shared/contracts/jetton/transfer.ts';
import { jettonTransferNotification } from '../../../shared/contracts/jetton/transfer-notification.ts';
import { bodyOf } from '../../../shared/contracts/message-schema.ts';
import { addPlugin } from '../../../shared/contracts/proposal-payload/add-plugin.ts';
import { burnGp } from '../../../shared/contracts/proposal-payload/burn-gp.ts';
import { customPayload } from '../../../shared/contracts/proposal-payload/custom.ts';
import { mintGp } from '../../../shared/contracts/proposal-payload/mint-gp.ts';
import { removePlugin } from '../../../shared/contracts/proposal-payload/remove-plugin.ts';
import { setSuccessPercentage } from '../../../shared/contracts/proposal-payload/set-success-percentage.ts';
import { startCrowdfunding } from '../../../shared/contracts/proposal-payload/start-crowdfunding.ts';
import { textPayload } from '../../../shared/contracts/proposal-payload/text.ts';
import { transferJetton } from '../../../shared/contracts/proposal-payload/transfer-jetton.ts';
import { transferTon } from '../../../shared/contracts/proposal-payload/transfer-ton.ts';
import { upgradeContract } from '../../../shared/contracts/proposal-payload/upgrade-contract.ts';

import {
  address,
  amount,
  type Case,
  cell,
  describeSchemas,
  forwardPayload,
  maybeAddress,
  number,
  of,
  queryId,
  text,
  uint,
} from './schema-cases.ts';

const plugin = {
  type: number(8),
  index: fc.option(number(32)),
  name: fc.option(text),
  crowdfundingMasterHash: fc.option(uint(256)),
};

const cases: Case[] = [
  of(
    jettonTransfer,
    {
      queryId,
      amount,
      destination: address,
      responseDestination: maybeAddress,
      customPayload: fc.option(cell),
      forwardTonAmount: amount,
      forwardPayload,
    },
    0x0f8a7ea5,
  ),
  of(
    jettonInternalTransfer,
    {
      queryId,
      amount,
      from: maybeAddress,
      responseAddress: maybeAddress,
      forwardTonAmount: amount,
      forwardPayload,
    },
    0x178d4519,
  ),
  of(jettonTransferNotification, { queryId, amount, sender: maybeAddress, forwardPayload }, 0x7362d09c),
  of(excesses, { queryId }, 0xd53276db),
  of(
    jettonBurn,
    { queryId, amount, responseDestination: maybeAddress, customPayload: fc.option(cell) },
    0x595f07bc,
  ),
  of(
    jettonBurnNotification,
    { queryId, amount, sender: address, responseDestination: maybeAddress },
    0x7bdd97de,
  ),
  of(provideWalletAddress, { queryId, ownerAddress: address, includeAddress: fc.boolean() }, 0x2c76b973),
  of(takeWalletAddress, { queryId, walletAddress: maybeAddress, ownerAddress: maybeAddress }, 0xd1735400),
  of(mint, { queryId, to: address, amount, forwardTonAmount: amount }),
  of(changeAdmin, { queryId, newAdmin: address }),
  of(changeContent, { queryId, content: cell }),
  of(upgrade, { queryId, code: cell }),
  of(provideVotingData, { queryId }),
  of(takeVotingData, { queryId, totalSupply: amount, walletCode: cell }),
  of(vote, { queryId, proposal: address, expiresAt: number(32) }),
  of(castVote, { queryId, voter: address, weight: amount, expiresAt: number(32) }),
  of(createProposal, { queryId, name: text, description: text, duration: number(32), payload: cell }),
  of(initProposal, {
    queryId,
    initiator: address,
    jettonMinter: address,
    successPercentage: number(16),
    duration: number(32),
    name: text,
    description: text,
    payload: cell,
  }),
  of(retryInit, { queryId }),
  of(executeProposal, { queryId, proposalId: uint(64), payload: cell }),
  of(startCampaign, { queryId, params: cell }),
  of(transferTon, { to: address, amount, comment: fc.option(text) }),
  of(transferJetton, { jettonWallet: address, to: address, amount, forwardTonAmount: amount }),
  of(mintGp, { to: address, amount }),
  of(burnGp, { jettonWallet: address, amount }),
  of(setSuccessPercentage, { successPercentage: number(16) }),
  of(addPlugin, { plugin: address, info: fc.record(plugin) }),
  of(removePlugin, { plugin: address }),
  of(startCrowdfunding, { plugin: address, params: cell }),
  of(upgradeContract, { target: address, code: cell }),
  of(textPayload, { text }),
  of(customPayload, { to: address, value: amount, body: cell }),
];

describeSchemas('message schemas of governance and jettons', cases);

describe('a message schema', () => {
  it('refuses a body that is too short', () => {
    const body = bodyOf(vote, { queryId: 1n, proposal: new Address(0, Buffer.alloc(32)), expiresAt: 1 });
    const short = beginCell().storeBits(body.bits.substring(0, 200)).endCell().beginParse().skip(32);
    expect(() => vote.load(short)).to.throw();
  });
});
