import type { AccountState } from '../shared/chain/account-state.ts';
import type { CampaignFacts } from '../shared/event-log/record.ts';
import type { Candidate } from './candidate.ts';
import { type CurrencyFacts, currencyFacts } from './currency-facts.ts';
import type { Session } from './session.ts';
import type { TrackedAccount } from './tracked-accounts.ts';
import { type WalletIdentity, walletIdentity } from './wallet-identity.ts';

/** What is to be known of an account before it is tracked. */
export interface Verified {
  wallet: WalletIdentity | 'not_yet' | null;
  campaign: CampaignFacts | null;
}

export type Verify = (
  candidate: Candidate,
  parent: TrackedAccount | undefined,
  state: AccountState,
) => Promise<Verified | null>;

/**
 * Verifies the candidates of one reading of a DAO at block `seqno`; null for one that turns out to be
 * something else, which the operator is told.
 */
export function candidateVerifier(session: Session, dao: string, seqno: number): Verify {
  const { chain, logger } = session;
  const currencies = new Map<string, Promise<CurrencyFacts>>();
  const refuse = ({ account, parent }: Candidate, fact: object, reason: string): null => {
    logger.warn({ dao, account, parent, ...fact }, `not tracked: ${reason}`);
    return null;
  };

  const currencyOf = (minter: string): Promise<CurrencyFacts> => {
    const found = currencies.get(minter) ?? currencyFacts(session, minter, seqno);
    currencies.set(minter, found);
    return found;
  };

  return async (candidate, parent, state) => {
    switch (candidate.kind) {
      case 'gp_wallet':
      case 'lp_wallet': {
        const wallet = await walletIdentity(chain, candidate, state, seqno);
        if (wallet === 'not_yet' || (wallet && wallet.minter === rootOf(parent)))
          return { wallet, campaign: null };
        const reason = 'reached by an internal transfer, but no wallet of the same jetton as its sender';
        return refuse(candidate, { minter: wallet?.minter ?? null }, reason);
      }
      case 'campaign': {
        const { terms } = candidate;
        if (!terms)
          return refuse(candidate, {}, 'the message that deploys this campaign is of no known layout');
        if (terms.dao !== dao)
          return refuse(candidate, { names: terms.dao }, 'this campaign says that it is of another DAO');
        const { name, lpMinter, currency } = terms;
        const facts = { address: candidate.account, name, lpMinter };
        return {
          wallet: null,
          campaign: { ...facts, currency: currency === null ? null : await currencyOf(currency) },
        };
      }
      case 'helper':
      case 'vesting_vault':
        return { wallet: null, campaign: parent?.campaign ?? null };
      default:
        return { wallet: null, campaign: null };
    }
  };
}

/** The minter at the root of the senders through whom a jetton wallet was found. */
function rootOf(sender: TrackedAccount | undefined): string | undefined {
  const isMinter = sender?.kind === 'gp_minter' || sender?.kind === 'lp_minter';
  return isMinter ? sender.account : sender?.wallet?.minter;
}
