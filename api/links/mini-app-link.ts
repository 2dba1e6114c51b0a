import { friendlyAddress } from '../../shared/address.ts';
import type { LinkSettings } from './settings.ts';

/**
 * `<url>?startapp=contribute_<campaign>_<amount>`: the campaign's user-friendly, url-safe address, which
 * always has 48 characters, and the amount in decimal digits. Within Telegram's `^[\w-]{0,512}$`; the
 * mini app reads it with `^contribute_([\w-]{48})_([0-9]+)$`. Undefined where there is no mini app.
 */
export function miniAppLink(
  campaign: string,
  amount: bigint,
  { miniAppUrl, network }: Pick<LinkSettings, 'miniAppUrl' | 'network'>,
): string | undefined {
  if (miniAppUrl === undefined) return undefined;
  const address = friendlyAddress(campaign, { testnet: network === 'testnet' });
  return `${miniAppUrl}?startapp=contribute_${address}_${amount}`;
}
