import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runTolkCompiler } from '@ton/tolk-js';

/** The contracts of the devnet, by the name of their source file. */
const contractNames = [
  'dao-6.0',
  'dao-6.1',
  'gp-minter',
  'gp-wallet',
  'proposal',
  'crowdfunding',
  'campaign',
  'campaign-6.2',
  'helper',
  'lp-manager',
  'lp-minter',
  'lp-wallet',
  'vesting-vault',
  'fee-manager',
  'subaccount',
] as const;

export type ContractName = (typeof contractNames)[number];
export type Build = Record<ContractName, { codeBoc: string; codeHash: string }>;

const folder = new URL('./contracts/', import.meta.url);

/** Compiles every contract from its Tolk source; `codeBoc` is base64, `codeHash` hex. */
export async function compileContracts(): Promise<Build> {
  const compiled = [];
  for (const name of contractNames) {
    compiled.push([name, await compileOne(name)] as const);
  }
  return Object.fromEntries(compiled) as Build;
}

/** A version that has a folder of its own is the contract before the hyphen, but for the files in that folder. */
async function compileOne(name: ContractName) {
  const own = new URL(`${name}/`, folder);
  const versioned = existsSync(own);
  const result = await runTolkCompiler({
    entrypointFileName: `${versioned ? name.slice(0, name.lastIndexOf('-')) : name}.tolk`,
    fsReadCallback: (path) => {
      const changed = new URL(path, own);
      return readFileSync(versioned && existsSync(changed) ? changed : new URL(path, folder), 'utf8');
    },
  });
  if (result.status === 'error') {
    throw new Error(`${name}.tolk does not compile: ${result.message}`);
  }
  return { codeBoc: result.codeBoc64, codeHash: result.codeHashHex.toLowerCase() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const build = await compileContracts();
  writeFileSync(new URL('build.json', folder), `${JSON.stringify(build, null, 2)}\n`);
}
