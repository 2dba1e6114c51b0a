import { campaign61 } from './campaign/version-6-1.ts';
import type { ContractKind } from './contract-kind.ts';
import type { ContractVersion } from './contract-version.ts';
import { crowdfundingPlugin61 } from './crowdfunding-plugin/version-6-1.ts';
import { dao60 } from './dao/version-6-0.ts';
import { dao61 } from './dao/version-6-1.ts';
import { gpMinter60 } from './gp-minter/version-6-0.ts';
import { gpWallet60 } from './gp-wallet/version-6-0.ts';
import { helper61 } from './helper/version-6-1.ts';
import { tep74Minter } from './jetton/tep-74-minter.ts';
import { tep74Wallet } from './jetton/tep-74-wallet.ts';
import { lpManager61 } from './lp-manager/version-6-1.ts';
import { lpMinter61 } from './lp-minter/version-6-1.ts';
import { lpWallet61 } from './lp-wallet/version-6-1.ts';
import { proposal60 } from './proposal/version-6-0.ts';
import { subaccount61 } from './subaccount/version-6-1.ts';
import { vestingVault61 } from './vesting-vault/version-6-1.ts';

/** Which contract a code is: one line per code hash. */
const versions = new Map<string, ContractVersion>([
  ['2924e91c8a9bdc4c0e196a563d635f980bb92fac5024d705b0b6888eea900e03', dao60],
  ['049a5542ec3aac382d72691af6498791554b7d9151c2bbb0cfbd17679bbfab2c', dao61],
  ['940aca4bed3b7002057a3167d30bf011b7c9e832acda44b93d3f016f9a6bf5b1', gpMinter60],
  ['4f435b92a3baabd74e8f2725bdc381357c4caffe531b2910bf25b05da5d5c8e7', gpWallet60],
  ['2b73e340c12896dbcf22b01de5cb0e2bfc4b1c6e2c58fe8fb47c2c9ec7340389', proposal60],
  ['55c2c25617624bca64745af8f7e5a4d04f9515d13452ea8946c34bbaeb95d721', crowdfundingPlugin61],
  ['53d2c07c50cae580987d3a1e65eca150b8f62cde997c3301dfd38a2930ba6ec8', campaign61],
  ['5cdf88b4a8dc0b174d1a4213a1e59b0dd3be8942e01dae849b18c1ec3491d4ad', helper61],
  ['6eb7116744d1092c5ee1460b02d02f724ee6101137d325001f6ec582ff023150', lpManager61],
  ['fdd967336e6c6f21d187239b1e67b096daecf9fa02f57b0d47e84dcc941392ed', lpMinter61],
  ['aa6e55edc3a34dfd79f792cd1d46a08d4a407f933bf7199bbcec562dfaeb1055', lpWallet61],
  ['09752275059e4822deab8ffbe47074c51e509b5b72f0f55b6ab1a81bcc5fb76d', vestingVault61],
  ['9c717767c9828a659261c0801150fb8d5ac07ced12541bd575083377fc019a6b', subaccount61],
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
