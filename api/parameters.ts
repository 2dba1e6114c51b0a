import { parse } from 'node:querystring';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parseAddress } from '../shared/address.ts';
import { ApiError, type ErrorCode, isErrorCode } from './errors.ts';
import type { Parameter } from './openapi/parameters.ts';
import type { Schema } from './openapi/schema.ts';

const INTEGER = /^(?:0|[1-9][0-9]*)$/;

const HIGHEST_UINT64 = (1n << 64n) - 1n;

/** Of an integer, of one of 64 bits, of an address (raw) or a text. */
type Value = number | bigint | string;

/** Values of a query by name, absent without value or default. */
export type Query = Readonly<Record<string, Value | undefined>>;

interface Check {
  name: string;
  kind: 'integer' | 'uint64' | 'address' | 'text';
  fallback: Value | undefined;
  invalid: ErrorCode;
  /** Where it is required: the code of its absence. */
  missing: ErrorCode | undefined;
  validate: ValidateFunction;
}

/**
 * Compiles the query parameters of an operation, as the OpenAPI document has them, into a check of
 * query strings. A parameter that is malformed, out of range or repeated is refused with
 * `invalid_<name>`, one that is required and absent with `missing_<name>` where that code exists.
 */
export function compileQuery(parameters: readonly Parameter[]): (querystring: string) => Query {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const checks = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => toCheck(ajv, parameter));
  const defaults = Object.freeze(Object.fromEntries(checks.map((check) => [check.name, check.fallback])));
  const complete = checks.every((check) => check.missing === undefined);

  return (querystring) => {
    if (querystring === '' && complete) return defaults;
    const given = parse(querystring, '&', '=', { maxKeys: 0 });
    return Object.fromEntries(checks.map((check) => [check.name, valueOf(check, given[check.name])]));
  };
}

function toCheck(ajv: Ajv2020, { name, schema, required }: Parameter): Check {
  const kind = kindOf(schema);
  const fallback = schema['default'] as string | number | undefined;
  const invalid = code(`invalid_${name}`);
  const missing = isErrorCode(`missing_${name}`) ? code(`missing_${name}`) : invalid;
  return {
    name,
    kind,
    fallback: kind === 'uint64' && fallback !== undefined ? BigInt(fallback) : fallback,
    invalid,
    missing: required ? missing : undefined,
    validate: ajv.compile(schema),
  };
}

function kindOf(schema: Schema): Check['kind'] {
  if (schema['x-uint64'] === true) return 'uint64';
  if (schema['type'] === 'integer') return 'integer';
  return schema['format'] === 'ton-address' ? 'address' : 'text';
}

/** Stops the process at start where a parameter has no code to be refused with. */
function code(text: string): ErrorCode {
  if (!isErrorCode(text)) throw new TypeError(`api/errors.ts lacks the code ${text}`);
  return text;
}

function valueOf(check: Check, given: string | string[] | undefined): Value | undefined {
  if (given === undefined) {
    if (check.missing !== undefined) throw new ApiError(check.missing);
    return check.fallback;
  }
  const value = typeof given === 'string' ? convert(check.kind, given) : undefined;
  // JSON Schema knows no bigint; all that there is to check of one is checked by now.
  const valid = typeof value === 'bigint' || (value !== undefined && check.validate(value));
  if (!valid) throw new ApiError(check.invalid);
  return value;
}

function convert(kind: Check['kind'], given: string): Value | undefined {
  if (kind === 'text') return given;
  if (kind === 'uint64') return uint64(given);
  if (kind === 'integer') return INTEGER.test(given) ? Number(given) : undefined;
  // A `+` of base64 that nobody escaped arrives as a space.
  return rawAddress(given.replaceAll(' ', '+'));
}

function uint64(given: string): bigint | undefined {
  // 20 digits at most: no need to make a number of thousands of them.
  if (given.length > 20 || !INTEGER.test(given)) return undefined;
  const value = BigInt(given);
  return value <= HIGHEST_UINT64 ? value : undefined;
}

/** Undefined where the text is no address. */
export function rawAddress(text: string): string | undefined {
  try {
    return parseAddress(text);
  } catch {
    return undefined;
  }
}
