import type { Cell } from '@ton/core';
import { friendlyAddress } from '../../shared/address.ts';
import type { LinkSettings } from './settings.ts';

/** A message to be signed, as every link response has it. */
export interface Transfer {
  tonTransfer: { uri: string };
  details: { to: string; valueNanoton: string; bodyBocBase64Url: string };
}

export interface Message {
  /** Raw. */
  to: string;
  /** Nanoton. */
  value: bigint;
  body: Cell;
}

/** Base64url without padding, which Node leaves out: a `+` of base64 would arrive as a space. */
export function transferLink(
  { to, value, body }: Message,
  { network }: Pick<LinkSettings, 'network'>,
): Transfer {
  const details = {
    to: friendlyAddress(to, { testnet: network === 'testnet' }),
    valueNanoton: value.toString(),
    bodyBocBase64Url: body.toBoc().toString('base64url'),
  };
  const uri = `ton://transfer/${details.to}?amount=${details.valueNanoton}&bin=${details.bodyBocBase64Url}`;
  return { tonTransfer: { uri }, details };
}
