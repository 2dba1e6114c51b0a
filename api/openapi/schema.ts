/** A JSON Schema (2020-12), as OpenAPI 3.1 takes it. */
export type Schema = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, Schema>>;

export function ref(name: string, description?: string): Schema {
  return { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) };
}

/** An object; the required properties are listed first, in the order of the specification. */
export function object(description: string, required: Properties, optional: Properties = {}): Schema {
  return {
    type: 'object',
    description,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

/** The envelope of every list. */
export function listOf(name: string, total: string): Schema {
  return object(`A page of the list, with the exact total.`, {
    total: { type: 'integer', format: 'int64', minimum: 0, description: total },
    items: { type: 'array', items: ref(name), description: 'The page, in the order of the list.' },
  });
}

export function text(description: string): Schema {
  return { type: 'string', description };
}

export function oneOf(values: readonly string[], description: string): Schema {
  return { type: 'string', enum: values, description };
}

export function boolean(description: string): Schema {
  return { type: 'boolean', description };
}

export function integer(description: string, bounds: Schema = { minimum: 0 }): Schema {
  return { type: 'integer', ...bounds, description };
}

export function arrayOf(items: Schema, description: string): Schema {
  return { type: 'array', items, description };
}

/** The same schema, with null for "no value". */
export function nullable(schema: Schema): Schema {
  return { ...schema, type: [schema['type'], 'null'] };
}

export function address(description: string): Schema {
  return {
    type: 'string',
    pattern: '^(0|-1):[0-9a-f]{64}$',
    description: `${description} Raw form, lower case.`,
    examples: ['0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8'],
  };
}

export function percentage(description: string): Schema {
  return {
    type: 'number',
    minimum: 0,
    maximum: 100,
    description: `${description} Percent, with up to two decimals (the chain counts in basis points).`,
    examples: [50.5],
  };
}

export function amount(description: string): Schema {
  return {
    type: 'string',
    pattern: '^(0|[1-9][0-9]{0,36})$',
    description: `${description} Decimal string of an integer in the smallest unit of its currency, at most 2^120 - 1.`,
    examples: ['1500000000'],
  };
}

export function timestamp(description: string): Schema {
  return {
    type: 'string',
    format: 'date-time',
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$',
    description: `${description} ISO 8601, UTC, whole seconds.`,
    examples: ['2026-11-21T10:00:00Z'],
  };
}

export function boc(description: string): Schema {
  return { type: 'string', contentEncoding: 'base64', description: `${description} A base64 BOC.` };
}
