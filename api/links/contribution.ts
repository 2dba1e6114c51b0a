import { Address } from '@ton/core';
import { contribution61 } from '../../shared/contracts/campaign/version-6-1.ts';
import { noForwardPayload } from '../../shared/contracts/jetton/forward-payload.ts';
import { jettonTransfer } from '../../shared/contracts/jetton/transfer.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { contractOf } from '../../shared/contracts/registry.ts';
import type { ErrorCode } from '../errors.ts';
import type { LinkCampaign } from './documents.ts';
import { CONTRIBUTE_RESERVE, JETTON_CONTRIBUTE_VALUE, JETTON_FORWARD } from './gas.ts';
import { miniAppLink } from './mini-app-link.ts';
import type { LinkSettings } from './settings.ts';
import { type Message, type Transfer, transferLink } from './transfer.ts';

/** The most that the chain's VarUInteger 16 holds. */
export const HIGHEST_AMOUNT = (1n << 120n) - 1n;

export const WARNINGS = [
  'whitelist_enforced_on_chain',
  'amount_exceeds_remaining_hardcap',
  'campaign_not_started',
  'campaign_ended',
  'campaign_code_unknown',
] as const;
export type Warning = (typeof WARNINGS)[number];

/** Smallest units of the campaign's currency; addresses raw. */
export interface ContributionParameters {
  amount: bigint;
  queryId: bigint;
}

export interface ContributionFacts {
  campaign: LinkCampaign;
  /** What is known of the investor of a jetton campaign; absent for a native one, which anyone may pay into. */
  investor?: { isListed: boolean; contributed: bigint } | undefined;
}

/** Who signs and what for, of a jetton campaign. */
export interface JettonRoute {
  /** The investor's jetton wallet. */
  wallet: string;
  /** Where what is left of the coins goes. */
  response: string;
}

export interface ContributionLink extends Transfer {
  isNative: boolean;
  campaignAddress: string;
  miniAppLink?: string;
  warnings: Warning[];
}

/** Why the contribution has no link, in the order in which the API checks; undefined where it has one. */
export function refuseContribution(
  { campaign, investor }: ContributionFacts,
  amount: bigint,
): ErrorCode | undefined {
  if (!isInRange(amount, campaign)) return 'invalid_amount';
  if (campaign.hasWhitelist && investor?.isListed === false) return 'not_whitelisted';
  if (campaign.status !== 'active') return 'campaign_not_active';
  if (campaign.paused) return 'campaign_paused';
  // The maximum is for all that a wallet contributes, and the contract would send this back.
  const contributed = investor?.contributed ?? 0n;
  if (campaign.maxPerUser > 0n && contributed + amount > campaign.maxPerUser) return 'invalid_amount';
  return undefined;
}

function isInRange(amount: bigint, { minPerUser, maxPerUser, currency }: LinkCampaign): boolean {
  const highest = currency === null ? HIGHEST_AMOUNT - CONTRIBUTE_RESERVE : HIGHEST_AMOUNT;
  return (
    amount > 0n && amount <= highest && amount >= minPerUser && (maxPerUser === 0n || amount <= maxPerUser)
  );
}

/** Why the contract may send the contribution back although it has a link; `now` in unix seconds. */
export function contributionWarnings(campaign: LinkCampaign, amount: bigint, now: number): Warning[] {
  const { hasWhitelist, codeHash, currency, maxTotal, total, startTime, endTime } = campaign;
  const holds: Record<Warning, boolean> = {
    whitelist_enforced_on_chain: hasWhitelist && currency === null,
    amount_exceeds_remaining_hardcap: maxTotal > 0n && amount > maxTotal - total,
    campaign_not_started: now < startTime,
    campaign_ended: now >= endTime,
    campaign_code_unknown: currency === null && contractOf(codeHash)?.contribution === undefined,
  };
  return WARNINGS.filter((warning) => holds[warning]);
}

/** The link of a contribution that is not refused; `jetton` for a jetton campaign alone. */
export function contributionLink(
  campaign: LinkCampaign,
  parameters: ContributionParameters,
  jetton: JettonRoute | undefined,
  { now, settings }: { now: number; settings: LinkSettings },
): ContributionLink {
  const { address } = campaign;
  const { amount } = parameters;
  const message = jetton ? jettonMessage(address, parameters, jetton) : nativeMessage(campaign, parameters);
  const miniApp = miniAppLink(address, amount, settings);
  return {
    isNative: jetton === undefined,
    campaignAddress: address,
    ...transferLink(message, settings),
    ...(miniApp !== undefined && { miniAppLink: miniApp }),
    warnings: contributionWarnings(campaign, amount, now),
  };
}

/** By the campaign's own version; where its code is not known, as the eldest takes it, and with a warning. */
function nativeMessage({ address, codeHash }: LinkCampaign, parameters: ContributionParameters): Message {
  const contribution = contractOf(codeHash)?.contribution ?? contribution61;
  return { to: address, value: parameters.amount + CONTRIBUTE_RESERVE, body: contribution(parameters) };
}

function jettonMessage(campaign: string, parameters: ContributionParameters, jetton: JettonRoute): Message {
  const body = bodyOf(jettonTransfer, {
    ...parameters,
    destination: Address.parseRaw(campaign),
    responseDestination: Address.parseRaw(jetton.response),
    customPayload: null,
    forwardTonAmount: JETTON_FORWARD,
    forwardPayload: noForwardPayload,
  });
  return { to: jetton.wallet, value: JETTON_CONTRIBUTE_VALUE, body };
}
