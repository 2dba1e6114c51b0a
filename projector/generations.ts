import { createHash } from 'node:crypto';
import { registeredCodes } from '../shared/contracts/registry.ts';
import type { Generation, ReadStore } from '../shared/read-store/read-store.ts';
import { accountFolds } from './accounts/accounts.ts';
import { projections } from './projections/projections.ts';

/**
 * The version of what this process folds by: 16 hex digits over its folds and read models, a dot,
 * and 16 over its registered contracts. Where one of them changes, the same log may give other documents.
 */
export function projectionsVersion(): string {
  const folds = [
    ...accountFolds.map(({ kind, version }) => `fold ${kind} ${version}`),
    ...projections.map(({ name, version }) => `read model ${name} ${version}`),
  ];
  const codes = registeredCodes().map(({ codeHash, kind, version }) => `code ${codeHash} ${kind} ${version}`);
  return `${hashOf(folds)}.${hashOf(codes)}`;
}

/** Whether two versions fold what they both know alike: at most the registered contracts differ. */
export function sameFolds(a: string, b: string): boolean {
  return a.split('.')[0] === b.split('.')[0];
}

function hashOf(lines: string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
}

/** Those that this process may fold, the oldest first. */
export async function ownGenerations(store: ReadStore): Promise<Generation[]> {
  const version = projectionsVersion();
  return (await store.generations()).filter(({ projections: folded }) => folded === version);
}

/**
 * The newest generation that this process may fold; a new one where there is none, to be built first
 * (`building`) where there are those of other versions.
 */
export async function ownGeneration(
  store: ReadStore,
  partitions: number,
  building: boolean,
): Promise<Generation> {
  const own = await ownGenerations(store);
  const known = own.findLast((each) => !each.building) ?? own.at(-1);
  if (known) return known;
  const first = (await store.generations()).length === 0;
  return store.create(projectionsVersion(), partitions, building && !first);
}
