import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { FatalError } from '../shared/errors.ts';

/** RFC 7518, section 3.2: a key of HS256 has at least the size of its hash. */
const MIN_SECRET_BYTES = 32;
const MIN_RSA_BITS = 2048;

const kid = z.string().min(1).max(128);
const configuration = z
  .array(
    z.discriminatedUnion('alg', [
      z.strictObject({ kid, alg: z.literal('HS256'), secret: z.string() }),
      z.strictObject({
        kid,
        alg: z.enum(['RS256', 'ES256']),
        publicKey: z.string().optional(),
        privateKey: z.string().optional(),
      }),
    ]),
  )
  .min(1);

type KeyConfiguration = z.infer<typeof configuration>[number];
type JwtAlgorithm = KeyConfiguration['alg'];

/** A key serves one algorithm alone, so that no token chooses how it is checked. */
export interface JwtKey {
  readonly kid: string;
  readonly alg: JwtAlgorithm;
  readonly verifyKey: KeyObject;
  /** Absent where only the public half is configured: such a key verifies and does not issue. */
  readonly signKey?: KeyObject;
}

/** In the order of the configuration; the first that can sign is the one that issues. */
export type JwtKeys = readonly JwtKey[];

/**
 * Keys from the text of the configuration, a JSON array of `{kid, alg: "HS256", secret}` (UTF-8, at
 * least 32 bytes) and `{kid, alg: "RS256" | "ES256", publicKey?, privateKey?}` (PEM; a private key
 * lets the command issue tokens). Throws a FatalError `JWT_KEYS_INVALID` that says which entry is
 * wrong and why, and never what is in it.
 */
export function parseJwtKeys(text: string): JwtKeys {
  const parsed = configuration.safeParse(parseJson(text));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const place = issue?.path.length ? `[${issue.path.join('.')}] ` : '';
    throw invalid(`${place}${issue?.message ?? 'not understood'}`);
  }
  const keys = parsed.data.map(toKey);
  const kids = new Set(keys.map((key) => key.kid));
  if (kids.size !== keys.length) throw invalid('two entries have the same kid');
  return Object.freeze(keys);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of JSON.parse quotes the text, which holds secrets: no cause is passed on.
    throw invalid('not JSON; expected [{"kid":"...","alg":"HS256","secret":"..."}]');
  }
}

function toKey(entry: KeyConfiguration, index: number): JwtKey {
  if (entry.alg === 'HS256') {
    const secret = Buffer.from(entry.secret, 'utf8');
    if (secret.length < MIN_SECRET_BYTES) {
      throw invalid(
        `[${index}.secret] ${secret.length} bytes are too short for HS256: at least ${MIN_SECRET_BYTES} are needed`,
      );
    }
    const key = createSecretKey(secret);
    return Object.freeze({ kid: entry.kid, alg: entry.alg, verifyKey: key, signKey: key });
  }
  const signKey =
    entry.privateKey === undefined
      ? undefined
      : readPem(`${index}.privateKey`, entry.privateKey, createPrivateKey);
  const pem = entry.publicKey ?? entry.privateKey;
  if (pem === undefined) throw invalid(`[${index}] a publicKey or a privateKey is needed`);
  const verifyKey = readPem(
    `${index}.${entry.publicKey === undefined ? 'privateKey' : 'publicKey'}`,
    pem,
    createPublicKey,
  );
  checkAlgorithm(index, entry.alg, verifyKey);
  if (signKey !== undefined && !createPublicKey(signKey).equals(verifyKey)) {
    throw invalid(`[${index}] publicKey and privateKey are not of one pair`);
  }
  return Object.freeze({ kid: entry.kid, alg: entry.alg, verifyKey, ...(signKey && { signKey }) });
}

function readPem(place: string, pem: string, read: (pem: string) => KeyObject): KeyObject {
  try {
    return read(pem);
  } catch {
    throw invalid(`[${place}] not a key in PEM`);
  }
}

function checkAlgorithm(index: number, alg: JwtAlgorithm, key: KeyObject): void {
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (alg === 'ES256' && !(key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1')) {
    throw invalid(`[${index}] ES256 needs a key on the curve P-256`);
  }
  if (alg === 'RS256' && !(key.asymmetricKeyType === 'rsa' && (modulusLength ?? 0) >= MIN_RSA_BITS)) {
    throw invalid(`[${index}] RS256 needs an RSA key of at least ${MIN_RSA_BITS} bits`);
  }
}

function invalid(reason: string): FatalError {
  return new FatalError('JWT_KEYS_INVALID', `The keys of the tokens cannot be used: ${reason}`);
}
