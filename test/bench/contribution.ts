import { beginCell, type Cell } from '@ton/core';
import { acceptContribution } from '../../shared/contracts/crowdfunding/accept-contribution.ts';
import { addContribution } from '../../shared/contracts/crowdfunding/add-contribution.ts';
import { contribute } from '../../shared/contracts/crowdfunding/contribute.ts';
import { initCampaign } from '../../shared/contracts/crowdfunding/init-campaign.ts';
import { storeShareStorage } from '../../shared/contracts/crowdfunding/storages.ts';
import { excesses } from '../../shared/contracts/jetton/excesses.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import type { CampaignFacts, LogRecord } from '../../shared/event-log/record.ts';
import {
  addressOf,
  base64,
  codeHashOf,
  daoStatus,
  discovered,
  parsed,
  transaction,
} from '../projector/chain-of-facts.ts';

const DAO = addressOf('dao');
const AMOUNT = 1_000_000_000n;
const HELPER_CODE = codeHashOf('helper') ?? '';
const CONTRIBUTE = bodyOf(contribute, { queryId: 1n, amount: AMOUNT });
const ADD = bodyOf(addContribution, { queryId: 1n, amount: AMOUNT, maxPerUser: 0n });
const EXCESSES = bodyOf(excesses, { queryId: 1n });
/** Of the raw transactions: no fold reads them, but the log holds and reads their bytes. */
const RAW_BYTES = { begun: 2000, asked: 1344, accepted: 1380, counted: 591 };

/**
 * Records of a contribution to a native campaign: the campaign is sent coins and asks the helper,
 * which comes under tracking with its first one; the helper accepts; the campaign counts.
 * `contribution.spec.ts` compares them with an executed one.
 */
export function* contribution(
  owner: number,
  campaign: number,
  first: boolean,
  lt: number,
): Generator<LogRecord> {
  const [investor, place] = [`owner ${owner}`, campaignName(campaign)];
  const [from, to, helper] = [
    addressOf(investor),
    addressOf(place),
    addressOf(`helper ${owner} ${campaign}`),
  ];
  const accepted = bodyOf(acceptContribution, { queryId: 1n, amount: AMOUNT, owner: parsed(investor) });
  const storage = storeShareStorage({ campaign: parsed(place), owner: parsed(investor) });
  const deployedWith = beginCell().store(storage).endCell();
  const init = { codeHash: HELPER_CODE, data: base64(deployedWith) };
  const ofCampaign = { dao: DAO, account: to, kind: 'campaign' } as const;
  const ofHelper = { dao: DAO, account: helper, kind: 'helper' } as const;

  yield logged(
    { ...ofCampaign, lt, from, body: CONTRIBUTE, out: [{ to: helper, body: ADD, init }] },
    RAW_BYTES.asked,
  );
  if (first) yield { ...discovered(DAO, helper, 'helper'), campaign: factsOf(campaign) };
  const answer = {
    ...ofHelper,
    lt: lt + 1,
    from: to,
    body: ADD,
    init,
    out: [{ to, body: accepted }],
    ...(first && { deployedWith }),
  };
  yield logged(answer, RAW_BYTES.accepted);
  const rest = { to: from, body: EXCESSES };
  yield logged({ ...ofCampaign, lt: lt + 2, from: helper, body: accepted, out: [rest] }, RAW_BYTES.counted);
}

function logged(facts: Parameters<typeof transaction>[0], rawBytes: number): LogRecord {
  return { ...transaction(facts), boc: rawOf(rawBytes) };
}

const raws = new Map<number, string>();
function rawOf(size: number): string {
  let raw = raws.get(size);
  if (raw === undefined) raws.set(size, (raw = Buffer.alloc(size, 7).toString('base64')));
  return raw;
}

/** Records of the DAO and of campaigns that have begun. */
export function* beginnings(campaigns: number): Generator<LogRecord> {
  yield daoStatus(DAO, 'tracked');
  for (let n = 0; n < campaigns; n++) {
    const account = addressOf(campaignName(n));
    yield { ...discovered(DAO, account, 'campaign'), campaign: factsOf(n) };
    yield logged({ dao: DAO, account, kind: 'campaign', lt: n + 1, body: beginning(n) }, RAW_BYTES.begun);
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
