/** Every code that a client can meet, with its status. Nothing else in the project knows statuses. */
const STATUS = {
  // What is not HTTP that the server understands; no endpoint is reached.
  invalid_request: 400,
  request_timeout: 408,
  headers_too_large: 431,

  invalid_dao_address: 400,
  invalid_proposal_address: 400,
  invalid_owner_address: 400,
  invalid_campaign_address: 400,
  invalid_investor_address: 400,
  invalid_response_address: 400,
  invalid_limit: 400,
  invalid_offset: 400,
  invalid_masters_limit: 400,
  invalid_masters_offset: 400,
  invalid_holders_limit: 400,
  invalid_holders_offset: 400,
  invalid_status: 400,
  invalid_amount: 400,
  invalid_query_id: 400,
  missing_owner_address: 400,
  missing_investor_address: 400,

  missing_token: 401,
  invalid_token: 401,
  expired_token: 401,
  revoked_token: 401,

  forbidden_dao: 403,
  forbidden_scope: 403,
  not_whitelisted: 403,

  not_found: 404,
  dao_not_found: 404,
  participant_not_found: 404,
  campaign_not_found: 404,
  helper_not_found: 404,
  vesting_vault_not_found: 404,

  method_not_allowed: 405,

  campaign_not_active: 409,
  campaign_paused: 409,
  campaign_not_successful: 409,
  already_claimed: 409,
  already_refunded: 409,
  nothing_to_claim: 409,
  vesting_not_initialized: 409,

  internal_error: 500,

  jetton_wallet_unavailable: 502,
} as const;

export type ErrorCode = keyof typeof STATUS;

export function statusOf(code: ErrorCode): number {
  return STATUS[code];
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(STATUS, text);
}

const BODIES = new Map(
  Object.keys(STATUS).map((code) => [code, Buffer.from(JSON.stringify({ error: code }))]),
);

/** The whole body of an error: the code and nothing else. */
export function errorBody(code: ErrorCode): Buffer {
  return BODIES.get(code) ?? Buffer.from('{"error":"internal_error"}');
}

/**
 * A refusal that the client is told of by its code. `headers` are name and value in turn; `cause` is what
 * an operator may want to know of it.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly headers: readonly string[];

  constructor(code: ErrorCode, headers: readonly string[] = [], cause?: unknown) {
    super(code, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.code = code;
    this.headers = STATUS[code] === 401 ? ['WWW-Authenticate', 'Bearer', ...headers] : headers;
  }
}
