import { Cell } from '@ton/core';
import type { ContractName } from '../compile.ts';
import build from './build.json' with { type: 'json' };

/** The compiled code of a devnet contract. */
export function codeOf(name: ContractName): Cell {
  return Cell.fromBase64(build[name].codeBoc);
}
