import { InvalidInputError } from '../shared/errors.ts';
import type { Generation, ReadStore } from '../shared/read-store/read-store.ts';

/** The generation of this id, or the one that is `live`. */
export async function findGeneration(store: ReadStore, name: string): Promise<Generation> {
  const generations = await store.generations();
  const found = generations.find(({ id, live }) => (name === 'live' ? live : id === name));
  if (found) return found;
  const known = generations.map(({ id }) => id).join(', ') || 'none';
  throw name === 'live'
    ? new InvalidInputError('NO_LIVE_GENERATION', `No generation is live; there are: ${known}`)
    : new InvalidInputError('GENERATION_UNKNOWN', `There is no generation ${name}; there are: ${known}`);
}
