import { openEmbeddedRevocationList } from '../../../shared/revocations/embedded.ts';
import type { RevocationList } from '../../../shared/revocations/revocation-list.ts';

/** For the suite's other processes. */
export function open(at: string): Promise<RevocationList> {
  return openEmbeddedRevocationList(at);
}
