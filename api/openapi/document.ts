import type { Endpoint } from '../endpoint.ts';
import type { ErrorCode } from '../errors.ts';
import { errorResponses, notModified, okResponse } from './responses.ts';
import { listOf, object, type Schema, text } from './schema.ts';
import { crowdfundingSchemas } from './schemas/crowdfunding.ts';
import { daoSchemas } from './schemas/dao.ts';
import { linkSchemas } from './schemas/link.ts';
import { participantSchemas } from './schemas/participant.ts';
import { proposalSchemas } from './schemas/proposal.ts';

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, { readonly get: Readonly<Record<string, unknown>> }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly [key: string]: unknown;
  };
  readonly [key: string]: unknown;
}

/** Every endpoint can answer with these. */
const COMMON: readonly ErrorCode[] = [
  'missing_token',
  'invalid_token',
  'expired_token',
  'revoked_token',
  'forbidden_dao',
  'forbidden_scope',
  'internal_error',
];

/** Answers to requests that reach no endpoint. */
const NO_ENDPOINT: readonly ErrorCode[] = [
  'not_found',
  'method_not_allowed',
  'invalid_request',
  'request_timeout',
  'headers_too_large',
];

const DESCRIPTION = `Read-only data of the DAOs of TON, each request scoped to one DAO, and ready-to-sign crowdfunding links.

- **Amounts** are decimal strings of integers in the smallest unit of their currency (nanoton for TON).
- **Addresses** in answers are raw and lower case; those in requests may have any TON form.
- **Times** are ISO 8601, UTC, whole seconds. Each field names its unit: percent (50.5) or basis points (5050).
- **Lists** have a total, stable order, named at each endpoint. Unknown query parameters are ignored; an unknown
  DAO or proposal gives an empty list. Integers are plain decimal digits without sign or leading zeros.
- **Order of checks**: path and method, token, addresses in the path, scope, DAO of the token (of a link: after the
  campaign is looked up), other parameters, existence, amount range, whitelist, state of the chain, the jetton wallet.
- **Absent and empty**: a parameter that is given without a value is an invalid one, not a missing one.
- **HEAD** works like GET without the body; every other method is 405. An unknown path is 404 \`not_found\`.
- **Caching**: send the ETag of an answer as If-None-Match; 304 costs far less than the answer.
- **Degraded data**: \`X-Dao-State\` comes with every answer about a tracked DAO; see the header.
- What is not HTTP that the server understands gets 400 \`invalid_request\`, 408 \`request_timeout\` or 431 \`headers_too_large\`.`;

/** The description of the interface: the one truth that validators, documentation and tests are made from. */
export function openApiDocument(endpoints: readonly Endpoint[]): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 'DAO Read API and Crowdfunding Link Helpers', version: '1.1.0', description: DESCRIPTION },
    servers: [{ url: '/' }],
    security: [{ daoToken: [] }],
    paths: Object.fromEntries(endpoints.map((endpoint) => [endpoint.path, { get: operationOf(endpoint) }])),
    components: {
      schemas: { ...resources(), ...lists() },
      responses: errorResponses(NO_ENDPOINT),
      securitySchemes: {
        daoToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'The DAO service token: claims `dao_address`, `jti`, `iat`, `exp`, optional `scope` (out of `dao:read`, `crowdfunding:links`; absent = both) and optional `owner_address` (fills `is_user_voted` and `userHelper`).',
        },
      },
    },
  };
}

function operationOf({ operation, scope }: Endpoint): Record<string, unknown> {
  const { response, example, errors, description, ...rest } = operation;
  return {
    ...rest,
    description: `${description} Needs the scope \`${scope}\`.`,
    responses: {
      200: okResponse(response, example),
      304: notModified,
      ...errorResponses([...errors, ...COMMON]),
    },
  };
}

function resources(): Record<string, Schema> {
  return {
    ...daoSchemas,
    ...proposalSchemas,
    ...crowdfundingSchemas,
    ...participantSchemas,
    ...linkSchemas,
    Error: object('An error; the code is all that is told.', { error: text('The code, lower_snake_case.') }),
  };
}

function lists(): Record<string, Schema> {
  return {
    HolderList: listOf('Holder', 'Exact number of holders.'),
    ProposalList: listOf('Proposal', 'Exact number of proposals.'),
    VoteList: listOf('Vote', 'Exact number of votes.'),
    CrowdfundingCampaignList: listOf(
      'CrowdfundingCampaign',
      'Exact number of campaigns (of the status asked for).',
    ),
    DaoLpMasterWithLpHoldersList: listOf('DaoLpMasterWithLpHolders', 'Exact number of LP masters.'),
  };
}
