import { createHash } from 'node:crypto';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LmdbEnvironment, type ReadOptions, type Table } from '../embedded/lmdb-environment.ts';
import { RetryableError } from '../errors.ts';
import type { RevocationList, RevokedToken } from './revocation-list.ts';

const MARKER = Buffer.from('opened');
/** How many expired entries one revocation clears away. */
const PRUNED_AT_ONCE = 100;
const LONGEST_PLAIN_JTI = 512;

/** How often the files themselves are looked at: a look costs as much as the check it would guard. */
const FILES_CHECKED_MS = 250;

/**
 * The list in an LMDB environment of its own under `dir`; `now` tells unix seconds. Two markers tell
 * a list that is new from one that was lost: one among the entries, one in a file beside them.
 */
export async function openEmbeddedRevocationList(
  dir: string,
  now: () => number = () => Math.floor(Date.now() / 1000),
): Promise<RevocationList> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
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
  private readonly file: number;
  private filesChecked = 0;
  private filesLost = false;

  constructor(path: string, now: () => number) {
    this.path = path;
    this.now = now;
    this.env = new LmdbEnvironment(path);
    this.meta = this.env.table('meta');
    this.tokens = this.env.table('tokens');
    this.byExpiry = this.env.table('by-expiry');
    this.mark();
    this.file = inode(path);
  }

  /** The first time only: where the file says that there was a list, an empty one has lost its contents. */
  private mark(): void {
    const file = `${this.path}.opened`;
    if (!existsSync(file)) {
      this.env.write(() => this.meta.put(MARKER, Buffer.from('1')));
      writeFileSync(file, `The list of revoked tokens is in the folder ${basename(this.path)}.\n`, {
        mode: 0o600,
        flush: true,
      });
    }
  }

  async revoke(token: RevokedToken): Promise<void> {
    const key = jtiKey(token.jti);
    this.env.write(() => {
      this.requireMarker();
      const before = this.token(key);
      // Of two requests the longer one stands: the token must stay revoked as long as either asks.
      if (before !== undefined && before.exp >= token.exp) return;
      if (before !== undefined) this.byExpiry.remove(expiryKey(before.exp, key));
      this.tokens.put(key, Buffer.from(JSON.stringify({ jti: token.jti, exp: token.exp })));
      this.byExpiry.put(expiryKey(token.exp, key), key);
      this.prune();
    });
  }

  async isRevoked(jti: string): Promise<boolean> {
    const key = jtiKey(jti);
    return this.env.read((options) => {
      this.requireMarker(options);
      return this.tokens.has(key, options);
    });
  }

  async entries(): Promise<RevokedToken[]> {
    const now = this.now();
    return this.env.read((options) => {
      this.requireMarker(options);
      return this.tokens
        .range(options)
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
    const end = expiryKey(this.now(), Buffer.of(0xff));
    const expired = this.byExpiry.range({ end, limit: PRUNED_AT_ONCE });
    for (const { key, value } of expired) {
      this.byExpiry.remove(key);
      this.tokens.remove(value);
    }
  }

  private requireMarker(options?: ReadOptions): void {
    if (this.meta.has(MARKER, options) && this.sameFiles()) return;
    throw new RetryableError(
      'REVOCATIONS_LOST',
      `The list of revoked tokens in ${this.path} has lost its contents: restore it from a backup. ` +
        `Where there is none, replace the signing keys, delete ${this.path}.opened, and start again with an empty list`,
    );
  }

  /** A deleted environment would go on answering from its unlinked file, apart from every other process. */
  private sameFiles(): boolean {
    const time = performance.now();
    if (time - this.filesChecked > FILES_CHECKED_MS) {
      this.filesChecked = time;
      this.filesLost = inode(this.path) !== this.file;
    }
    return !this.filesLost;
  }
}

function inode(path: string): number {
  return statSync(join(path, 'data.mdb'), { throwIfNoEntry: false })?.ino ?? -1;
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
