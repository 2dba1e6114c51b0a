import type { ContractKind } from './contract-kind.ts';
import type { ContractVersion } from './contract-version.ts';
import { dao60 } from './dao/version-6-0.ts';
import { dao61 } from './dao/version-6-1.ts';
import { gpMinter60 } from './gp-minter/version-6-0.ts';
import { gpWallet60 } from './gp-wallet/version-6-0.ts';
import { tep74Minter } from './jetton/tep-74-minter.ts';
import { tep74Wallet } from './jetton/tep-74-wallet.ts';
import { proposal60 } from './proposal/version-6-0.ts';

/** Which contract a code is: one line per code hash. */
const versions = new Map<string, ContractVersion>([
  ['2924e91c8a9bdc4c0e196a563d635f980bb92fac5024d705b0b6888eea900e03', dao60],
  ['049a5542ec3aac382d72691af6498791554b7d9151c2bbb0cfbd17679bbfab2c', dao61],
  ['940aca4bed3b7002057a3167d30bf011b7c9e832acda44b93d3f016f9a6bf5b1', gpMinter60],
  ['4f435b92a3baabd74e8f2725bdc381357c4caffe531b2910bf25b05da5d5c8e7', gpWallet60],
  ['2b73e340c12896dbcf22b01de5cb0e2bfc4b1c6e2c58fe8fb47c2c9ec7340389', proposal60],
]);

/** Standards that make a contract readable in its role although its code is not known. */
const standards: Partial<Record<ContractKind, ContractVersion>> = {
  gp_minter: { ...tep74Minter, kind: 'gp_minter' },
  gp_wallet: { ...tep74Wallet, kind: 'gp_wallet' },
  lp_minter: { ...tep74Minter, kind: 'lp_minter' },
  lp_wallet: { ...tep74Wallet, kind: 'lp_wallet' },
};

/** The contract that a code hash (64 hex digits) is known to be. */
export function contractOf(codeHash: string): ContractVersion | undefined {
  return versions.get(codeHash);
}

/**
 * How an account is to be read in its role: by its code where that is of this role, else by the
 * standard of the role, else not at all.
 */
export function readerOf(kind: ContractKind, codeHash: string | null): ContractVersion | undefined {
  const known = codeHash === null ? undefined : versions.get(codeHash);
  return known?.kind === kind ? known : standards[kind];
}

/** Every registered code, for the version of what is folded with it. */
export function registeredCodes(): { codeHash: string; kind: ContractKind; version: string }[] {
  return [...versions].map(([codeHash, { kind, version }]) => ({ codeHash, kind, version }));
}
