import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { contractOf, readerOf, registeredCodes } from '../../../shared/contracts/registry.ts';

const compiled = JSON.parse(
  readFileSync(new URL('../../devnet/contracts/build.json', import.meta.url), 'utf8'),
) as Record<string, { codeHash: string }>;

describe('the registry of contracts', () => {
  for (const [name, kind, version] of [
    ['dao-6.0', 'dao', '6.0'],
    ['dao-6.1', 'dao', '6.1'],
    ['gp-minter', 'gp_minter', '6.0'],
    ['gp-wallet', 'gp_wallet', '6.0'],
    ['proposal', 'proposal', '6.0'],
    ['crowdfunding', 'crowdfunding', '6.1'],
    ['campaign', 'campaign', '6.1'],
    ['helper', 'helper', '6.1'],
    ['lp-manager', 'lp_manager', '6.1'],
    ['lp-minter', 'lp_minter', '6.1'],
    ['lp-wallet', 'lp_wallet', '6.1'],
    ['vesting-vault', 'vesting_vault', '6.1'],
    ['subaccount', 'subaccount', '6.1'],
  ] as const)
    it(`knows the compiled ${name} as ${kind} ${version}`, () => {
      expect(contractOf(compiled[name]?.codeHash ?? '')).to.include({ kind, version });
    });

  it('lists no code that was not compiled', () => {
    const hashes = new Set(Object.values(compiled).map(({ codeHash }) => codeHash));
    for (const { codeHash } of registeredCodes()) expect(hashes.has(codeHash), codeHash).to.equal(true);
  });

  it('reads a jetton of unknown code by the standard, and nothing else', () => {
    const unknown = 'f'.repeat(64);
    expect(readerOf('gp_wallet', unknown)?.version).to.equal('tep-74');
    expect(readerOf('gp_minter', null)?.version).to.equal('tep-74');
    expect(readerOf('dao', unknown)).to.equal(undefined);
  });
});
