import { Address } from '@ton/core';
import { InvalidInputError } from './errors.ts';

const RAW = /^(?:0|-1):[0-9a-f]{64}$/i;
const FRIENDLY = /^[A-Za-z0-9+/_-]{48}$/;

/**
 * The raw, lower-case form (`0:` + 64 hex) of an address in any form of TON: raw, or user-friendly in
 * base64 or base64url, bounceable or not, test-only or not. Throws an InvalidInputError
 * `INVALID_ADDRESS` for anything else: a wrong checksum, a workchain other than 0 and -1.
 */
export function parseAddress(text: string): string {
  // Not Address.parse: of a raw form that takes any workchain, and hashes of fewer than 32 bytes.
  if (RAW.test(text)) return text.toLowerCase();
  if (FRIENDLY.test(text)) {
    const address = friendly(text);
    if (address?.workChain === 0 || address?.workChain === -1) return address.toRawString();
  }
  throw new InvalidInputError(
    'INVALID_ADDRESS',
    'Not a TON address: give it raw (0:<64 hex>) or user-friendly (48 characters, with its checksum)',
  );
}

function friendly(text: string): Address | undefined {
  try {
    return Address.parseFriendly(text).address;
  } catch {
    return undefined;
  }
}

/** The url-safe, bounceable form that wallets take in a link. */
export function friendlyAddress(raw: string, network: { testnet: boolean }): string {
  return Address.parseRaw(raw).toString({ urlSafe: true, bounceable: true, testOnly: network.testnet });
}
