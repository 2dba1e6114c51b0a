import { createHash } from 'node:crypto';
import { registeredCodes } from '../shared/contracts/registry.ts';
import type { Generation, ReadStore } from '../shared/read-store/read-store.ts';
import { accountFolds } from './accounts/accounts.ts';
import { projections } from './projections/projections.ts';

/**
 * The version of what this process folds by: 16 hex digits over its folds, read models and
 * registered contracts. Where one of them changes, the same log may give other documents.
 */
export function projectionsVersion(): string {
  const parts = [
    ...accountFolds.map(({ kind, version }) => `fold ${kind} ${version}`),
    ...projections.map(({ name, version }) => `read model ${name} ${version}`),
    ...registeredCodes().map(({ codeHash, kind, version }) => `code ${codeHash} ${kind} ${version}`),
  ];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}

/** The newest generation that this process may fold; a new one where there is none. */
export async function ownGeneration(store: ReadStore, partitions: number): Promise<Generation> {
  const version = projectionsVersion();
  const own = (await store.generations()).filter(({ projections: folded }) => folded === version);
  return own.at(-1) ?? (await store.create(version, partitions));
}
