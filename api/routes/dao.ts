import { etagOf } from '../answer.ts';
import { daoEndpoint } from '../dao-endpoint.ts';
import { ApiError } from '../errors.ts';
import * as examples from '../openapi/examples.ts';
import { pathAddress } from '../openapi/parameters.ts';

/** Endpoint 1: one document as it is stored. */
export const dao = daoEndpoint(
  {
    path: '/api/v1/daos/{dao_address}',
    operation: {
      operationId: 'getDao',
      tags: ['DAO'],
      summary: 'The DAO',
      description: "The DAO's identity and configuration.",
      parameters: [pathAddress('dao_address', 'The DAO.')],
      response: 'Dao',
      example: examples.dao,
      errors: ['invalid_dao_address', 'dao_not_found'],
    },
  },
  ({ view, document, headers }, request) => {
    if (document === undefined) throw new ApiError('dao_not_found', headers);
    const etag = etagOf(view.generation.id, document.version);
    return { etag, headers, body: request.matches(etag) ? null : document.body };
  },
);
