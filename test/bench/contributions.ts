import { beginCell, type Cell } from '@ton/core';
import { acceptContribution } from '../../shared/contracts/crowdfunding/accept-contribution.ts';
import { addContribution } from '../../shared/contracts/crowdfunding/add-contribution.ts';
import { initCampaign } from '../../shared/contracts/crowdfunding/init-campaign.ts';
import { storeShareStorage } from '../../shared/contracts/crowdfunding/storages.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import type { CampaignFacts, LogRecord } from '../../shared/event-log/record.ts';
import { addressOf, daoStatus, discovered, parsed, transaction } from '../projector/chain-of-facts.ts';

const DAO = addressOf('dao');
const CAMPAIGNS = 16;
const AMOUNT = 1_000_000_000n;
/** The raw transaction that a record carries: no fold reads it, but the log holds and reads its bytes. */
const RAW_TRANSACTION = Buffer.alloc(600, 7).toString('base64');

/** Records of contributions: a helper's discovery, then its transaction and the campaign's for each one. */
export function* contributions(count: number): Generator<LogRecord> {
  const owners = Math.ceil(count / 10);
  const helpers = new Set<number>();
  let lt = 1000;
  let made = 0;
  for (const record of beginnings()) {
    made++;
    yield record;
  }
  // Both numbers share no factor with what they walk around: owners and campaigns mix.
  for (let turn = 0; made < count; turn++) {
    const [owner, campaign] = [(turn * 7919) % owners, (turn * 5 + (turn >> 7)) % CAMPAIGNS];
    const key = owner * CAMPAIGNS + campaign;
    for (const record of contribution(owner, campaign, !helpers.has(key), (lt += 10))) {
      if (made++ < count) yield record;
    }
    helpers.add(key);
  }
}

function* contribution(owner: number, campaign: number, first: boolean, lt: number): Generator<LogRecord> {
  const [name, place] = [`owner ${owner}`, campaignName(campaign)];
  const helper = addressOf(`helper ${owner} ${campaign}`);
  const body = accepted(name);
  if (first) yield { ...discovered(DAO, helper, 'helper'), campaign: factsOf(campaign) };
  const deployed = first
    ? {
        deployedWith: beginCell()
          .store(storeShareStorage({ campaign: parsed(place), owner: parsed(name) }))
          .endCell(),
      }
    : {};
  yield logged({
    dao: DAO,
    account: helper,
    kind: 'helper',
    lt,
    body: ADD,
    out: [{ to: addressOf(place), body }],
    ...deployed,
  });
  yield logged({ dao: DAO, account: addressOf(place), kind: 'campaign', lt: lt + 1, body });
}

const ADD = bodyOf(addContribution, { queryId: 1n, amount: AMOUNT, maxPerUser: 0n });

function accepted(owner: string): Cell {
  return bodyOf(acceptContribution, { queryId: 1n, amount: AMOUNT, owner: parsed(owner) });
}

function logged(facts: Parameters<typeof transaction>[0]): LogRecord {
  return { ...transaction(facts), boc: RAW_TRANSACTION };
}

function* beginnings(): Generator<LogRecord> {
  yield daoStatus(DAO, 'tracked');
  for (let n = 0; n < CAMPAIGNS; n++) {
    const account = addressOf(campaignName(n));
    yield { ...discovered(DAO, account, 'campaign'), campaign: factsOf(n) };
    yield logged({ dao: DAO, account, kind: 'campaign', lt: n + 1, body: beginning(n) });
  }
}

function beginning(n: number): Cell {
  const empty = beginCell().endCell();
  return bodyOf(initCampaign, {
    queryId: 0n,
    dao: parsed('dao'),
    helperCode: empty,
    vaultCode: empty,
    params: {
      operator: parsed('operator'),
      lpManager: parsed('lp manager'),
      lpMinter: parsed('lp minter'),
      destination: parsed('destination'),
      feeManager: parsed('fee manager'),
      currency: null,
      minTotal: AMOUNT,
      maxTotal: 0n,
      minPerUser: 1n,
      maxPerUser: 0n,
      lpPrice: AMOUNT,
      startTime: 1_700_000_000,
      endTime: 2_000_000_000,
      managementFee: 100,
      hasWhitelist: false,
      name: campaignName(n),
      description: 'One of many',
      vesting: null,
    },
  });
}

function factsOf(campaign: number): CampaignFacts {
  const name = campaignName(campaign);
  return { address: addressOf(name), name, lpMinter: addressOf('lp minter'), currency: null };
}

function campaignName(n: number): string {
  return `campaign ${n}`;
}
