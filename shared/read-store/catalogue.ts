import { randomBytes } from 'node:crypto';
import { FatalError, InvalidInputError } from '../errors.ts';
import type { Generation } from './read-store.ts';

/** Which generations there are. The functions below change it in place; an adapter keeps what they made of it atomically. */
export interface Catalogue {
  /** How many there ever were. */
  created: number;
  generations: Generation[];
}

/** The id is never used again, nor in another store: versions that clients keep begin with it. */
export function createGeneration(
  catalogue: Catalogue,
  { projections, partitions, building }: Pick<Generation, 'projections' | 'partitions' | 'building'>,
): Generation {
  catalogue.created++;
  const live = !building && !catalogue.generations.some((each) => each.live);
  const generation = {
    id: `g${catalogue.created}-${randomBytes(4).toString('hex')}`,
    projections,
    partitions,
    createdAt: Math.floor(Date.now() / 1000),
    live,
    building,
    promotion: live ? nextPromotion(catalogue) : 0,
  };
  catalogue.generations.push(generation);
  return generation;
}

export function completeGeneration({ generations }: Catalogue, id: string): void {
  requireGeneration(generations, id).building = false;
}

export function promoteGeneration(catalogue: Catalogue, id: string): void {
  const promoted = requireGeneration(catalogue.generations, id);
  if (promoted.building) throw stillBuilding(id);
  if (!promoted.live) promoted.promotion = nextPromotion(catalogue);
  for (const each of catalogue.generations) each.live = each.id === id;
}

export function removeGeneration(catalogue: Catalogue, id: string): void {
  if (requireGeneration(catalogue.generations, id).live) throw stillLive(id);
  catalogue.generations = catalogue.generations.filter((each) => each.id !== id);
}

export function requireGeneration(generations: Generation[], id: string): Generation {
  const found = generations.find((each) => each.id === id);
  if (found !== undefined) return found;
  const known = generations.map((each) => each.id).join(', ') || 'none';
  throw new InvalidInputError('GENERATION_UNKNOWN', `There is no generation ${id}; there are: ${known}`);
}

/** What a writer gets whose generation is gone: what it folds would be lost in silence. */
export function generationDropped(id: string): FatalError {
  return new FatalError(
    'GENERATION_DROPPED',
    `Generation ${id} was dropped while it was folded into: fold another one`,
  );
}

function nextPromotion({ generations }: Catalogue): number {
  return Math.max(0, ...generations.map(({ promotion }) => promotion)) + 1;
}

function stillBuilding(id: string): FatalError {
  return new FatalError(
    'GENERATION_BUILDING',
    `Generation ${id} is not built yet: let its rebuild end before promoting it`,
  );
}

function stillLive(id: string): FatalError {
  return new FatalError(
    'GENERATION_LIVE',
    `Generation ${id} is live: promote another one before dropping it`,
  );
}
