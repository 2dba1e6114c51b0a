import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { LmdbEnvironment, type Snapshot, type Table } from '../embedded/lmdb-environment.ts';
import { RetryableError } from '../errors.ts';
import type { RevocationList, RevokedToken } from './revocation-list.ts';

const MARKER = Buffer.from('opened');
/** How many expired entries one revocation clears away. */
const PRUNED_AT_ONCE = 100;
const LONGEST_PLAIN_JTI = 512;

/** The list in an LMDB environment of its own under `dir`; `now` tells unix seconds. */
export async function openEmbeddedRevocationList(
  dir: string,
  now: () => number = () => Math.floor(Date.now() / 1000),
): Promise<RevocationList> {
  return new EmbeddedRevocationList(join(dir, 'revocations'), now);
}

class EmbeddedRevocationList implements RevocationList {
  private readonly env: LmdbEnvironment;
  private readonly meta: Table;
  /** Key of a jti -> the token. */
  private readonly tokens: Table;
  /** [exp, key of a jti], to find what has expired. */
  private readonly byExpiry: Table;
  private readonly path: string;
  private readonly now: () => number;

  constructor(path: string, now: () => number) {
    this.path = path;
    this.now = now;
    this.env = new LmdbEnvironment(path);
    this.meta = this.env.table('meta');
    this.tokens = this.env.table('tokens');
    this.byExpiry = this.env.table('by-expiry');
    this.env.write(() => this.meta.putSync(MARKER, Buffer.from('1')));
  }

  async revoke(token: RevokedToken): Promise<void> {
    const key = jtiKey(token.jti);
    this.env.write(() => {
      this.requireMarker();
      const before = this.token(key);
      // Of two requests the longer one stands: the token must stay revoked as long as either asks.
      if (before !== undefined && before.exp >= token.exp) return;
      if (before !== undefined) this.byExpiry.removeSync(expiryKey(before.exp, key));
      this.tokens.putSync(key, Buffer.from(JSON.stringify({ jti: token.jti, exp: token.exp })));
      this.byExpiry.putSync(expiryKey(token.exp, key), key);
      this.prune();
    });
  }

  async isRevoked(jti: string): Promise<boolean> {
    const key = jtiKey(jti);
    return this.env.read((options) => {
      this.requireMarker(options);
      return this.tokens.getBinaryFast(key, options) !== undefined;
    });
  }

  async entries(): Promise<RevokedToken[]> {
    const now = this.now();
    return this.env.read((options) => {
      this.requireMarker(options);
      return [...this.tokens.getRange(options)]
        .map(({ value }) => parseToken(value))
        .filter(({ exp }) => exp > now)
        .sort((a, b) => (a.jti < b.jti ? -1 : 1));
    });
  }

  close(): Promise<void> {
    return this.env.close();
  }

  private token(key: Buffer): RevokedToken | undefined {
    const stored = this.tokens.get(key);
    return stored && parseToken(stored);
  }

  private prune(): void {
    // Inside the transaction, whose state the range reads; gathered first, since it must not change beneath it.
    const expired = [
      ...this.byExpiry.getRange({ end: expiryKey(this.now(), Buffer.of(0xff)), limit: PRUNED_AT_ONCE }),
    ];
    for (const { key, value } of expired) {
      this.byExpiry.removeSync(key);
      this.tokens.removeSync(value);
    }
  }

  private requireMarker(options?: { transaction: Snapshot }): void {
    if (this.meta.getBinaryFast(MARKER, options) !== undefined) return;
    throw new RetryableError(
      'REVOCATIONS_LOST',
      `The list of revoked tokens in ${this.path} has lost its contents: restore it from a backup, ` +
        'or replace the signing keys and start with an empty list',
    );
  }
}

/** A jti may be longer than a key: then its hash stands for it. */
function jtiKey(jti: string): Buffer {
  const bytes = Buffer.from(jti);
  if (bytes.length <= LONGEST_PLAIN_JTI) return Buffer.concat([Buffer.from('='), bytes]);
  return Buffer.concat([Buffer.from('#'), createHash('sha256').update(bytes).digest()]);
}

function parseToken(stored: Buffer): RevokedToken {
  return JSON.parse(stored.toString());
}

function expiryKey(exp: number, key: Buffer): Buffer {
  const time = Buffer.allocUnsafe(8);
  time.writeBigUInt64BE(BigInt(Math.max(0, Math.floor(exp))));
  return Buffer.concat([time, key]);
}
