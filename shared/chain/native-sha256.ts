import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

/**
 * Puts OpenSSL's SHA-256 under @ton/core. Its own is pure JavaScript and takes a third of the time
 * that parsing a transaction does. @ton/crypto looks the function up at each call, so that
 * replacing it in its module is enough; the digests are the same.
 */
export function useNativeSha256(): void {
  const primitives: unknown = createRequire(import.meta.url)('@ton/crypto/dist/primitives/sha256.js');
  if (typeof primitives === 'object' && primitives !== null && 'sha256_sync' in primitives) {
    primitives.sha256_sync = (source: Buffer | string): Buffer =>
      createHash('sha256').update(source).digest();
  }
}
