import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { parseAddress } from '../shared/address.ts';
import { FatalError, InvalidInputError } from '../shared/errors.ts';
import type { RevokedToken } from '../shared/revocations/revocation-list.ts';
import { parseClaims, type Scope } from './claims.ts';
import type { JwtKey, JwtKeys } from './jwt-keys.ts';

export interface TokenRequest {
  /** Any form. */
  dao: string;
  ttlSeconds: number;
  /** Both scopes where absent. */
  scope?: readonly Scope[];
  /** The wallet that the token speaks for, any form. */
  owner?: string;
  /** The first key that can sign where absent. */
  kid?: string;
}

export interface IssuedToken {
  token: string;
  jti: string;
  /** Unix seconds. */
  exp: number;
}

/** A token for one DAO, signed now (`now` in unix seconds). */
export function issueToken(
  keys: JwtKeys,
  request: TokenRequest,
  now: number = Math.floor(Date.now() / 1000),
): IssuedToken {
  if (!Number.isSafeInteger(request.ttlSeconds) || request.ttlSeconds <= 0) {
    throw new InvalidInputError(
      'INVALID_TTL',
      'The lifetime of a token is a whole number of seconds above 0',
    );
  }
  const { key, signKey } = signingKey(keys, request.kid);
  const jti = randomUUID();
  const exp = now + request.ttlSeconds;
  const payload = {
    dao_address: parseAddress(request.dao),
    jti,
    iat: now,
    exp,
    ...(request.scope !== undefined && { scope: request.scope }),
    ...(request.owner !== undefined && { owner_address: parseAddress(request.owner) }),
  };
  return { token: jwt.sign(payload, signKey, { algorithm: key.alg, keyid: key.kid }), jti, exp };
}

function signingKey(
  keys: JwtKeys,
  kid: string | undefined,
): { key: JwtKey; signKey: NonNullable<JwtKey['signKey']> } {
  const key = keys.find((candidate) => (kid === undefined ? candidate.signKey : candidate.kid === kid));
  if (key === undefined && kid !== undefined)
    throw new InvalidInputError('UNKNOWN_KID', `No key has the kid ${kid}`);
  if (key?.signKey === undefined) {
    throw new FatalError(
      'NO_SIGNING_KEY',
      'This key can only verify: configure its privateKey to issue tokens',
    );
  }
  return { key, signKey: key.signKey };
}

/**
 * What the revocation list must keep of a token. Its signature is verified, so that a token copied
 * wrongly is not taken for revoked; an expired one is accepted.
 */
export function revocationOf(keys: JwtKeys, token: string): RevokedToken {
  const claims = parseClaims(verified(keys, token));
  if (claims === undefined)
    throw new InvalidInputError('INVALID_TOKEN', 'The token lacks claims that every token has');
  return { jti: claims.jti, exp: claims.exp };
}

function verified(keys: JwtKeys, token: string): unknown {
  const kid = jwt.decode(token, { complete: true })?.header.kid;
  const candidates = keys.filter((key) => key.kid === kid || (kid === undefined && keys.length === 1));
  for (const { verifyKey, alg } of candidates) {
    try {
      return jwt.verify(token, verifyKey, {
        algorithms: [alg],
        ignoreExpiration: true,
        ignoreNotBefore: true,
      });
    } catch {
      // Told below, without the library's words.
    }
  }
  throw new InvalidInputError(
    'INVALID_TOKEN',
    'No configured key signed this token; revoke it by jti and exp instead',
  );
}
