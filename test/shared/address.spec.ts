import { Address } from '@ton/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { friendlyAddress, parseAddress } from '../../shared/address.ts';
import { InvalidInputError } from '../../shared/errors.ts';

const raw = fc
  .tuple(fc.constantFrom(0, -1), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(([workchain, hash]) => `${workchain}:${Buffer.from(hash).toString('hex')}`);

describe('addresses', () => {
  it('are the same in every form', () => {
    const form = fc.record({ urlSafe: fc.boolean(), bounceable: fc.boolean(), testOnly: fc.boolean() });
    fc.assert(
      fc.property(raw, form, (address, options) => {
        expect(parseAddress(address)).to.equal(address);
        expect(parseAddress(address.toUpperCase())).to.equal(address);
        expect(parseAddress(Address.parse(address).toString(options))).to.equal(address);
      }),
      { seed: 1 },
    );
  });

  it('are refused with any character of a friendly form changed', () => {
    const changed = fc.tuple(raw, fc.nat(47), fc.constantFrom('A', 'z', '7', '_'));
    fc.assert(
      fc.property(changed, ([address, at, letter]) => {
        const friendly = friendlyAddress(address, { testnet: false });
        fc.pre(friendly[at] !== letter);
        refused(friendly.slice(0, at) + letter + friendly.slice(at + 1));
      }),
      { seed: 2 },
    );
  });

  const hex = 'ab'.repeat(32);
  const inWorkchain = (workchain: number) => new Address(workchain, Buffer.alloc(32)).toString();
  for (const text of [
    '',
    '0:',
    hex,
    `0:${hex.slice(1)}`,
    `0:${hex}0`,
    `0:${hex.slice(1)}g`,
    `1:${hex}`,
    `-2:${hex}`,
    `+0:${hex}`,
    `00:${hex}`,
    ` 0:${hex}`,
    `0:${hex}\n`,
    `0.0:${hex}`,
    inWorkchain(1),
    inWorkchain(-2),
    `${inWorkchain(0)}=`,
    inWorkchain(0).slice(1),
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => refused(text));
  }

  it('go out url-safe and bounceable, for the network configured', () => {
    const address = `0:${hex}`;
    expect(friendlyAddress(address, { testnet: false })).to.match(/^E[\w-]{47}$/);
    expect(friendlyAddress(address, { testnet: true })).to.match(/^k[\w-]{47}$/);
  });
});

function refused(text: string): void {
  expect(() => parseAddress(text))
    .to.throw(InvalidInputError)
    .with.property('code', 'INVALID_ADDRESS');
}
