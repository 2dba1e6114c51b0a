import { expect } from 'chai';
import { compileContracts } from './compile.ts';
import build from './contracts/build.json' with { type: 'json' };

describe('devnet: compiled contracts', () => {
  it('are what their Tolk sources compile to (npx tsx test/devnet/compile.ts)', async () => {
    expect(await compileContracts()).to.deep.equal(build);
  });
});
