import type { Answer } from './answer.ts';
import type { Scope } from './claims.ts';
import type { Operation } from './openapi/operation.ts';
import type { ApiRequest } from './request.ts';

/** One endpoint: a file in `routes/`, a line in `endpoints.ts`. */
export interface Endpoint {
  /** With parameters in braces, as OpenAPI has it. */
  path: string;
  scope: Scope;
  /** Its place in the OpenAPI document; its parameters are checked by what stands there. */
  operation: Operation;
  answer(request: ApiRequest): Promise<Answer>;
}
