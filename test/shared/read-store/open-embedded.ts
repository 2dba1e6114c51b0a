import { openEmbeddedReadStore } from '../../../shared/read-store/embedded.ts';
import type { ReadStore } from '../../../shared/read-store/read-store.ts';

/** For the suite's other processes. */
export function open(at: string): Promise<ReadStore> {
  return openEmbeddedReadStore(at);
}
