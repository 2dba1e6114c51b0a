import { Address, Cell, type Slice } from '@ton/core';
import { expect } from 'chai';
import type { MessageSchema } from '../../../shared/contracts/message-schema.ts';

/** What a link's answer holds, as a client reads it. */
export interface LinkBody {
  kind?: string;
  isNative?: boolean;
  campaignAddress: string;
  tonTransfer: { uri: string };
  details: { to: string; valueNanoton: string; bodyBocBase64Url: string };
  miniAppLink?: string;
  vesting?: Record<string, string>;
  warnings: string[];
}

/** The message of a link, read from its URI alone as a wallet reads it, and compared with `details`. */
export function readLink<T>({ tonTransfer: { uri }, details }: LinkBody, schema: MessageSchema<T>) {
  const url = new URL(uri);
  const to = url.pathname.replace(/^\/+(transfer\/)?/, '');
  expect(uri.startsWith('ton://transfer/')).to.equal(true);
  expect([...url.searchParams.keys()]).to.deep.equal(['amount', 'bin']);
  expect(to).to.equal(details.to);
  expect(url.searchParams.get('amount')).to.equal(details.valueNanoton);
  const bin = url.searchParams.get('bin') ?? '';
  expect(bin)
    .to.equal(details.bodyBocBase64Url)
    .and.to.match(/^[\w-]+$/);

  const { address, isBounceable, isTestOnly } = Address.parseFriendly(to);
  expect(isBounceable).to.equal(true);
  expect(to).to.match(/^[\w-]{48}$/);
  const cell = Cell.fromBase64(Buffer.from(bin, 'base64url').toString('base64'));
  return {
    to: address.toRawString(),
    isTestOnly,
    value: BigInt(details.valueNanoton),
    message: loadWhole(cell.beginParse(), schema),
  };
}

function loadWhole<T>(slice: Slice, schema: MessageSchema<T>): T {
  expect(slice.loadUint(32)).to.equal(schema.opcode);
  const message = schema.load(slice);
  slice.endParse();
  return message;
}
