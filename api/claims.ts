import { z } from 'zod';
import { parseAddress } from '../shared/address.ts';

export const SCOPES = ['dao:read', 'crowdfunding:links'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a verified token says. Addresses are raw. */
export interface Claims {
  dao: string;
  jti: string;
  /** Unix seconds. */
  exp: number;
  scopes: readonly Scope[];
  /** The wallet that the token speaks for. */
  owner?: string;
}

const payload = z.object({
  dao_address: z.string(),
  jti: z.string().min(1).max(256),
  iat: z.number(),
  exp: z.number(),
  scope: z.array(z.enum(SCOPES)).optional(),
  owner_address: z.string().optional(),
});

/** Undefined where a required claim is missing or any claim that is read is malformed. */
export function parseClaims(decoded: unknown): Claims | undefined {
  const parsed = payload.safeParse(decoded);
  if (!parsed.success) return undefined;
  const { dao_address, jti, exp, scope, owner_address } = parsed.data;
  try {
    return {
      dao: parseAddress(dao_address),
      jti,
      exp,
      scopes: scope ?? SCOPES,
      ...(owner_address !== undefined && { owner: parseAddress(owner_address) }),
    };
  } catch {
    return undefined;
  }
}
