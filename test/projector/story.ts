import { beginCell } from '@ton/core';
import fc from 'fast-check';
import { storeDaoStorage } from '../../shared/contracts/dao/storage.ts';
import { castVote } from '../../shared/contracts/governance/cast-vote.ts';
import { executeProposal } from '../../shared/contracts/governance/execute-proposal.ts';
import { initProposal } from '../../shared/contracts/governance/init-proposal.ts';
import { takeVotingData } from '../../shared/contracts/governance/take-voting-data.ts';
import { jettonBurn } from '../../shared/contracts/jetton/burn.ts';
import { onChainContent } from '../../shared/contracts/jetton/content.ts';
import { noForwardPayload } from '../../shared/contracts/jetton/forward-payload.ts';
import { jettonInternalTransfer } from '../../shared/contracts/jetton/internal-transfer.ts';
import { storeMinterStorage } from '../../shared/contracts/jetton/minter-storage.ts';
import { jettonTransfer } from '../../shared/contracts/jetton/transfer.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { storeProposalStorage } from '../../shared/contracts/proposal/storage.ts';
import { textPayload } from '../../shared/contracts/proposal-payload/text.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import { addressOf, daoStatus, discovered, parsed, transaction } from './chain-of-facts.ts';

export const DAO = addressOf('dao');
export const MINTER = addressOf('minter');
export const walletOf = (owner: string): string => addressOf(`wallet of ${owner}`);
export const proposalOf = (id: number): string => addressOf(`proposal ${id}`);

const empty = beginCell().endCell();

/** A DAO with its minter, discovered and deployed. */
export function foundation(): LogRecord[] {
  const storage = {
    owner: parsed('founder'),
    jettonMinter: parsed('minter'),
    successPercentage: 5050,
    nextProposalId: 1n,
    name: 'Test DAO',
    plugins: new Map(),
    proposalCode: empty,
  };
  const content = onChainContent({ name: 'Governance', symbol: 'GP' });
  const minter = { totalSupply: 0n, admin: parsed('founder'), content, walletCode: empty };
  return [
    daoStatus(DAO, 'tracked'),
    discovered(DAO, DAO, 'dao'),
    discovered(DAO, MINTER, 'gp_minter'),
    transaction({
      dao: DAO,
      account: MINTER,
      kind: 'gp_minter',
      lt: 1,
      deployedWith: beginCell().store(storeMinterStorage(minter)).endCell(),
    }),
    transaction({
      dao: DAO,
      account: DAO,
      kind: 'dao',
      lt: 2,
      deployedWith: beginCell().store(storeDaoStorage(storage)).endCell(),
    }),
  ];
}

export function walletDiscovered(owner: string): LogRecord {
  return discovered(DAO, walletOf(owner), 'gp_wallet', { owner: addressOf(owner), minter: MINTER });
}

/** Jettons arrive at the wallet of `owner`. */
export function received(owner: string, amount: bigint, lt: number): LogRecord {
  return transaction({ dao: DAO, account: walletOf(owner), kind: 'gp_wallet', lt, body: incoming(amount) });
}

/** The minter mints, which its out-message tells. */
export function minted(owner: string, amount: bigint, lt: number): LogRecord {
  const out = [{ to: walletOf(owner), body: incoming(amount) }];
  return transaction({ dao: DAO, account: MINTER, kind: 'gp_minter', lt, out });
}

export function sent(owner: string, amount: bigint, lt: number): LogRecord {
  const body = bodyOf(jettonTransfer, {
    queryId: 1n,
    amount,
    destination: parsed('somebody'),
    responseDestination: null,
    customPayload: null,
    forwardTonAmount: 0n,
    forwardPayload: noForwardPayload,
  });
  return transaction({ dao: DAO, account: walletOf(owner), kind: 'gp_wallet', lt, body });
}

/** What was sent comes back to the wallet. */
export function sendBounced(owner: string, amount: bigint, lt: number): LogRecord {
  const original = beginCell()
    .storeUint(jettonInternalTransfer.opcode, 32)
    .storeUint(1, 64)
    .storeCoins(amount);
  const body = beginCell().storeUint(0xffff_ffff, 32).storeBuilder(original).endCell();
  return transaction({ dao: DAO, account: walletOf(owner), kind: 'gp_wallet', lt, body, bounced: true });
}

export function burned(owner: string, amount: bigint, lt: number): LogRecord {
  const body = bodyOf(jettonBurn, { queryId: 1n, amount, responseDestination: null, customPayload: null });
  return transaction({ dao: DAO, account: walletOf(owner), kind: 'gp_wallet', lt, body });
}

/** A proposal from its announcement to the opening of its vote. */
export function proposal(
  id: number,
  supply: bigint,
  lt: number,
  payload = bodyOf(textPayload, { text: 'Yes?' }),
): LogRecord[] {
  const account = proposalOf(id);
  const deployedWith = beginCell()
    .store(storeProposalStorage({ dao: parsed('dao'), proposalId: BigInt(id) }))
    .endCell();
  const announcement = bodyOf(initProposal, {
    queryId: 0n,
    initiator: parsed('founder'),
    jettonMinter: parsed('minter'),
    successPercentage: 5050,
    duration: 3600,
    name: `Proposal ${id}`,
    description: 'To be decided',
    payload,
  });
  const snapshot = bodyOf(takeVotingData, { queryId: 0n, totalSupply: supply, walletCode: empty });
  return [
    discovered(DAO, account, 'proposal'),
    transaction({ dao: DAO, account, kind: 'proposal', lt, body: announcement, deployedWith }),
    transaction({ dao: DAO, account, kind: 'proposal', lt: lt + 1, body: snapshot }),
  ];
}

export function voted(id: number, voter: string, weight: bigint, lt: number, accepts = false): LogRecord {
  const body = bodyOf(castVote, { queryId: 0n, voter: parsed(voter), weight, expiresAt: 0 });
  const execution = bodyOf(executeProposal, { queryId: 0n, proposalId: BigInt(id), payload: empty });
  const out = accepts ? [{ to: DAO, body: execution }] : [];
  return transaction({ dao: DAO, account: proposalOf(id), kind: 'proposal', lt, body, out });
}

function incoming(amount: bigint) {
  return bodyOf(jettonInternalTransfer, {
    queryId: 1n,
    amount,
    from: null,
    responseAddress: null,
    forwardTonAmount: 0n,
    forwardPayload: noForwardPayload,
  });
}

/** Chains of accounts that could have happened: each its own list of records, in order. */
export const histories: fc.Arbitrary<LogRecord[][]> = fc
  .record({
    wallets: fc.array(
      fc.array(fc.tuple(fc.bigInt({ min: 1n, max: 1n << 100n }), fc.nat(2)), { maxLength: 6 }),
      { maxLength: 8 },
    ),
    votes: fc.array(fc.bigInt({ min: 1n, max: 1n << 100n }), { maxLength: 6 }),
  })
  .map(({ wallets, votes }) => {
    const [tracked, ...rest] = foundation();
    const minter = rest.filter(({ account }) => account === MINTER);
    const dao = rest.filter(({ account }) => account === DAO);
    const chains = wallets.map((steps, index) => walletHistory(`owner ${index}`, steps, minter));
    const proposals = [
      ...proposal(1, 1n << 110n, 10),
      ...votes.map((weight, i) => voted(1, `voter ${i}`, weight, 20 + i)),
    ];
    return [[tracked as LogRecord, ...dao], minter, proposals, ...chains];
  });

function walletHistory(owner: string, steps: [bigint, number][], minter: LogRecord[]): LogRecord[] {
  let lt = 100;
  return [
    walletDiscovered(owner),
    ...steps.flatMap(([amount, after]) => {
      minter.push(minted(owner, amount, (lt += 3)));
      const arrival = received(owner, amount, lt + 1);
      if (after === 0) return [arrival];
      return [arrival, after === 1 ? burned(owner, amount, lt + 2) : sent(owner, amount / 2n, lt + 2)];
    }),
  ];
}
