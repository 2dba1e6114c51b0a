import { type ErrorCode, statusOf } from '../errors.ts';
import { oneOf, type Schema } from './schema.ts';

const TITLES: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'The token is missing, invalid, expired or revoked.',
  403: 'The token has no access to this DAO or endpoint.',
  404: 'There is no such resource.',
  405: 'The path exists and takes GET and HEAD alone.',
  408: 'The request did not arrive in time.',
  409: "The request is well formed; the chain's state forbids it.",
  431: 'The headers are too large.',
  500: 'Internal error of the server. Nothing about it is told; the log has it under the X-Request-Id.',
  502: 'The chain could not be asked.',
};

const header = (description: string, schema: Schema, required = false) => ({
  description,
  schema,
  ...(required && { required }),
});

const REQUEST_ID = {
  'X-Request-Id': header(
    'Names the request in the log. A sane one that came with the request is kept, else a UUID.',
    { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
    true,
  ),
};

const DATA_HEADERS = {
  'X-Dao-State': header(
    'State of the DAO, where it is tracked. `degraded`: some records could not be folded and the data may lack them; `backfilling` and `untracked`: it is not served yet, or no longer.',
    oneOf(['backfilling', 'live', 'degraded', 'untracked'], 'State of the DAO.'),
  ),
  'X-Indexed-Seqno': header('Masterchain seqno that the answer is complete up to.', {
    type: 'string',
    pattern: '^[0-9]+$',
  }),
  'X-Indexed-At': header('Time of that masterchain block, ISO 8601 UTC.', {
    type: 'string',
    format: 'date-time',
  }),
};

const CACHE_HEADERS = {
  ETag: header(
    'Changes whenever the answer does; send it as If-None-Match.',
    { type: 'string', pattern: '^"[!#-~]+"$' },
    true,
  ),
  'Cache-Control': header(
    'Only the client may keep it, and must revalidate it.',
    { const: 'private, no-cache' },
    true,
  ),
  Vary: header('The answer depends on the token.', { const: 'Authorization' }, true),
};

const NO_SNIFF = { 'X-Content-Type-Options': header('', { const: 'nosniff' }, true) };

/** Headers of one status that only it has. */
const SPECIAL: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': header('The scheme.', { const: 'Bearer' }, true) },
  405: { Allow: header('The methods that the path takes.', { const: 'GET, HEAD' }, true) },
  400: DATA_HEADERS,
  403: DATA_HEADERS,
  404: DATA_HEADERS,
  409: DATA_HEADERS,
  502: DATA_HEADERS,
};

/** The success of an endpoint whose 200 body has the schema of this name. */
export function okResponse(schema: string, example: unknown): object {
  return {
    description: 'Success.',
    headers: { ...REQUEST_ID, ...DATA_HEADERS, ...CACHE_HEADERS, ...NO_SNIFF },
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example } },
  };
}

export const notModified = {
  description: 'What If-None-Match names is still the answer. No body.',
  headers: { ...REQUEST_ID, ...DATA_HEADERS, ...CACHE_HEADERS },
};

/** One response for each status of these codes, with an example for each code. */
export function errorResponses(codes: readonly ErrorCode[]): Record<string, object> {
  const statuses = [...new Set(codes.map(statusOf))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      errorResponse(
        status,
        codes.filter((code) => statusOf(code) === status),
      ),
    ]),
  );
}

function errorResponse(status: number, codes: readonly ErrorCode[]): object {
  return {
    description: TITLES[status] ?? 'Error.',
    headers: { ...REQUEST_ID, ...SPECIAL[status], ...NO_SNIFF },
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Error' }],
          properties: { error: { enum: codes } },
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: { error: code } }])),
      },
    },
  };
}
