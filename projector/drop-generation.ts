import { FatalError } from '../shared/errors.ts';
import type { ReadStore } from '../shared/read-store/read-store.ts';
import { findGeneration } from './find-generation.ts';

/** What a drop freed: documents that could be read, and the bytes of all bodies and states. */
export interface Freed {
  id: string;
  documents: number;
  bytes: number;
}

/** Frees a generation that is not live; a FatalError `GENERATION_LIVE` for the one that is. */
export async function dropGeneration(store: ReadStore, name: string): Promise<Freed> {
  const { id, live } = await findGeneration(store, name);
  if (live)
    throw new FatalError(
      'GENERATION_LIVE',
      `Generation ${id} is live: promote another one before dropping it`,
    );
  const freed: Freed = { id, documents: 0, bytes: 0 };
  const writer = await store.openWriter(id);
  for await (const { body, state } of writer.documents()) {
    if (body) freed.documents++;
    freed.bytes += (body?.length ?? 0) + (state?.length ?? 0);
  }
  await writer.close();
  await store.drop(id);
  return freed;
}
