/** A JSON Schema (2020-12), or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

export const text: Schema = { type: 'string' };
export const boolean: Schema = { type: 'boolean' };
export const integer: Schema = { type: 'integer' };
export const address: Schema = { type: 'string', pattern: '^(0|-1):[0-9a-f]{64}$' };
export const hash: Schema = { type: 'string', pattern: '^[0-9a-f]{64}$' };
export const amount: Schema = { type: 'string', pattern: '^(0|[1-9][0-9]*)$' };
export const boc: Schema = { type: 'string', contentEncoding: 'base64' };
export const time: Schema = {
  type: 'string',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$',
};

export function nullable(schema: Schema): Schema {
  const { type, enum: values } = schema;
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
}

export function arrayOf(items: Schema): Schema {
  return { type: 'array', items };
}

/** An object with these properties, all of them and no others. */
export function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: false };
}
