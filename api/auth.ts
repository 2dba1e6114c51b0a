import { hash } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Context } from 'koa';
import koaJwt from 'koa-jwt';
import type { RevocationList } from '../shared/revocations/revocation-list.ts';
import { type Claims, parseClaims } from './claims.ts';
import { ApiError } from './errors.ts';
import type { JwtKeys } from './jwt-keys.ts';
import { Lru } from './lru.ts';

const VERIFIED_TOKENS = 10_000;
const BEARER = /^Bearer(?: +(.*))?$/i;

interface AuthOptions {
  keys: JwtKeys;
  revocations: RevocationList;
  /** Unix seconds. */
  clock: () => number;
}

/**
 * Gives the claims of a request's token, or throws the ApiError of status 401. The signature of a
 * token is verified once and remembered; its expiry and its revocation are looked at every time. Where
 * the revocation list cannot be asked its error comes through: nobody is let in then.
 */
export function createAuthenticator(options: AuthOptions): (ctx: Context) => Promise<Claims> {
  const { revocations, clock } = options;
  const verify = createVerifier(options);
  const verified = new Lru<Claims>(VERIFIED_TOKENS);

  return async (ctx) => {
    const token = bearerToken(ctx.req.headers.authorization);
    // The digest, not the token: a dump of the heap must not hold tokens in use.
    const digest = hash('sha256', token, 'base64');
    let claims = verified.get(digest);
    if (claims === undefined) {
      claims = await verify(ctx, token);
      verified.set(digest, claims);
    }
    if (claims.exp <= clock()) throw new ApiError('expired_token');
    if (await revocations.isRevoked(claims.jti)) throw new ApiError('revoked_token');
    return claims;
  };
}

/** Another scheme than Bearer counts as no token at all. */
function bearerToken(header: string | undefined): string {
  const match = header === undefined ? null : BEARER.exec(header.trim());
  const token = match?.[1]?.trim();
  if (!token) throw new ApiError('missing_token');
  return token;
}

function createVerifier({ keys, clock }: AuthOptions): (ctx: Context, token: string) => Promise<Claims> {
  // koa-jwt hands its options on to jsonwebtoken, which copies them at each call: the getter is our clock.
  const options = {
    key: 'jwt',
    algorithms: [...new Set(keys.map((key) => key.alg))],
    getToken: (ctx: Context) => String(ctx.state['token']),
    secret: (header: unknown) => Promise.resolve(keyFor(keys, header)),
    get clockTimestamp() {
      return clock();
    },
  };
  // Its types know secrets as text and Buffers alone; jsonwebtoken takes a KeyObject, 46 times faster.
  const verify = koaJwt(options as unknown as Parameters<typeof koaJwt>[0]);

  return async (ctx, token) => {
    ctx.state['token'] = token;
    try {
      await verify(ctx, () => Promise.resolve());
    } catch (error) {
      const { originalError } = error as { originalError?: unknown };
      throw new ApiError(originalError instanceof jwt.TokenExpiredError ? 'expired_token' : 'invalid_token');
    } finally {
      delete ctx.state['token'];
    }
    const claims = parseClaims(ctx.state['jwt']);
    if (claims === undefined) throw new ApiError('invalid_token');
    return claims;
  };
}

/** The key that the header names; a token that names none is checked by the only key there is. */
function keyFor(keys: JwtKeys, header: unknown): JwtKeys[number]['verifyKey'] {
  const { kid, alg } = header as { kid?: unknown; alg?: unknown };
  const key =
    kid === undefined && keys.length === 1 ? keys[0] : keys.find((candidate) => candidate.kid === kid);
  if (key === undefined) throw new Error('unknown kid');
  if (key.alg !== alg) throw new Error('the key is not for this algorithm');
  return key.verifyKey;
}
