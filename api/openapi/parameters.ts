import type { Schema } from './schema.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  description: string;
  schema: Schema;
}

const anyForm =
  'Any TON form: raw, or user-friendly (base64 or base64url, bounceable or not, test-only or not). The checksum is verified; workchains 0 and -1 exist.';

/** An address in any form; a handler gets it raw. */
const ADDRESS: Schema = { type: 'string', format: 'ton-address' };

export function pathAddress(name: string, description: string): Parameter {
  return { name, in: 'path', required: true, description: `${description} ${anyForm}`, schema: ADDRESS };
}

export function queryAddress(name: string, description: string, required = false): Parameter {
  const whole = `${description} ${anyForm} A \`+\` that arrives as a space is mended; an empty value is an invalid one.`;
  return { name, in: 'query', ...(required && { required }), description: whole, schema: ADDRESS };
}

/** 64 bits do not fit into a JSON number of JavaScript, so that the maximum is told in words. */
export const queryId: Parameter = {
  name: 'query_id',
  in: 'query',
  description:
    "The message's query id, a uint64: 0 to 18446744073709551615 (2^64 - 1). Decimal digits, given once.",
  schema: { type: 'integer', format: 'int64', minimum: 0, default: 0, 'x-uint64': true },
};

export function limit(name = 'limit', of = 'items'): Parameter {
  return {
    name,
    in: 'query',
    description: `How many ${of} the page holds at most. Decimal digits, given once.`,
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
  };
}

export function offset(name = 'offset', of = 'items'): Parameter {
  return {
    name,
    in: 'query',
    description: `How many ${of} come before the page. Past the end: an empty page with the true total.`,
    schema: { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
  };
}
