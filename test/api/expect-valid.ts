import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { endpoints } from '../../api/endpoints.ts';
import { openApiDocument } from '../../api/openapi/document.ts';

export interface Received {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

interface HeaderObject {
  required?: boolean;
  schema: object;
}

interface ResponseObject {
  headers?: Record<string, HeaderObject>;
  content?: { 'application/json': { schema: object } };
}

const document = openApiDocument(endpoints);
const ajv = createAjv();
const compiled = new WeakMap<object, ValidateFunction>();
const templates = Object.entries(document.paths).map(([template, item]) => ({
  matches: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  responses: item.get['responses'] as Record<string, ResponseObject>,
}));
const general = document.components['responses'] as Record<string, ResponseObject>;

/**
 * Throws unless the OpenAPI document has this answer: its status, its headers, each field of its body
 * and no field more, and of an error its code at this endpoint.
 */
export function expectValid(received: Received): void {
  const pathname = received.path.split('?')[0] ?? '';
  if (pathname === '/openapi.json') return;
  const template = templates.find(({ matches }) => matches.test(pathname));
  const response = template?.responses[received.status] ?? general[received.status];
  const what = `${received.method} ${received.path} -> ${received.status} ${received.text.slice(0, 200)}`;
  if (response === undefined) throw new Error(`not documented: ${what}`);
  checkHeaders(response, received.headers, what);
  if (response.content === undefined || received.method === 'HEAD') {
    if (received.text !== '') throw new Error(`a body where none belongs: ${what}`);
    return;
  }
  if (received.headers.get('content-type') !== 'application/json')
    throw new Error(`not application/json: ${what}`);
  check(response.content['application/json'].schema, received.body, what);
}

function checkHeaders({ headers = {} }: ResponseObject, received: Headers, what: string): void {
  for (const [name, { required, schema }] of Object.entries(headers)) {
    const value = received.get(name);
    if (value !== null) check(schema, value, `header ${name} of ${what}`);
    else if (required) throw new Error(`no ${name}: ${what}`);
  }
}

function check(schema: object, value: unknown, what: string): void {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object);
    compiled.set(schema, validate);
  }
  if (!validate(value)) throw new Error(`${ajv.errorsText(validate.errors)}: ${what}`);
}

/** With every object closed: a field that the document does not name is a mistake here. */
function createAjv(): Ajv2020 {
  const instance = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { ...fullFormats, 'ton-address': true },
  });
  const closed = JSON.parse(
    JSON.stringify({ components: { schemas: document.components.schemas } }),
    (_, value: unknown) => (isClosable(value) ? { ...value, additionalProperties: false } : value),
  ) as object;
  instance.addSchema({ ...closed, $id: 'api' });
  return instance;
}

function isClosable(value: unknown): value is object {
  return (
    value instanceof Object && 'properties' in value && 'type' in value && !('additionalProperties' in value)
  );
}
