import type { ErrorCode } from '../errors.ts';
import type { Parameter } from './parameters.ts';

/** An endpoint's place in the OpenAPI document. What every endpoint shares is added by `document.ts`. */
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: Parameter[];
  /** Name of the schema of the 200 body. */
  response: string;
  example: unknown;
  /** Codes beyond those of the token, the scope and the server. */
  errors: ErrorCode[];
}
