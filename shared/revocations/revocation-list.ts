export interface RevokedToken {
  jti: string;
  /** Unix seconds from which on the token is expired anyway and its entry may go. */
  exp: number;
}

/**
 * Port: the ids of revoked tokens. It fails closed: where the store cannot be asked, or has lost
 * its contents (the marker that `open` made is gone), every method throws a RetryableError.
 */
export interface RevocationList {
  /** Durable once resolved, and seen by the next `isRevoked` of every process. */
  revoke(token: RevokedToken): Promise<void>;
  isRevoked(jti: string): Promise<boolean>;
  /** Entries whose `exp` has not passed, by jti. */
  entries(): Promise<RevokedToken[]>;
  close(): Promise<void>;
}
