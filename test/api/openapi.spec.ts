import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { endpoints } from '../../api/endpoints.ts';
import { isErrorCode, statusOf } from '../../api/errors.ts';
import { type OpenApiDocument, openApiDocument } from '../../api/openapi/document.ts';
import { expectValid } from './expect-valid.ts';
import { ApiFixture, daoPath } from './fixture.ts';

interface Operation {
  parameters: { name: string; in: string; description: string; schema: Record<string, unknown> }[];
  responses: Record<
    string,
    {
      content?: {
        'application/json': {
          example?: unknown;
          examples?: Record<string, { value: unknown }>;
          schema: { properties?: { error: { enum: string[] } } };
        };
      };
    }
  >;
}

describe('the OpenAPI document', () => {
  const api = new ApiFixture();
  before(() => api.start());
  after(() => api.stop());
  const document = openApiDocument(endpoints);
  const operations = Object.entries(document.paths).map(([path, item]) => ({
    path,
    ...(item.get as unknown as Operation),
  }));

  it('is served without a token, as JSON, with 304', async () => {
    const { status, body, headers } = await api.get('/openapi.json', { token: null });
    expect(status).to.equal(200);
    expect(body).to.deep.equal(JSON.parse(JSON.stringify(document)));
    expect((body as OpenApiDocument)['info']).to.include({ version: '1.1.0' });
    const again = await api.get('/openapi.json', {
      token: null,
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(again.status).to.equal(304);
  });

  it('resolves every reference', () => {
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      expect(document.components.schemas).to.have.property(name ?? '');
    }
  });

  it('has every schema a compiler accepts, with a description of every field', () => {
    const ajv = new Ajv2020({
      strict: true,
      strictTypes: false,
      strictRequired: false,
      validateFormats: false,
    });
    ajv.addVocabulary(['components', 'example']);
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      ajv.compile({ ...JSON.parse(JSON.stringify(schema)), components: document.components });
      const { properties = {} } = schema as {
        properties?: Record<string, { description?: string; $ref?: string }>;
      };
      for (const [field, { description, $ref }] of Object.entries(properties)) {
        expect(description ?? $ref, `${name}.${field}`)
          .to.be.a('string')
          .and.not.equal('');
      }
    }
  });

  it('has an example for each success and for each code, all of them valid', () => {
    for (const { path, responses } of operations) {
      const ok = responses['200']?.content?.['application/json'].example;
      expectValid(
        example(path, 200, ok, { ETag: '"x"', 'Cache-Control': 'private, no-cache', Vary: 'Authorization' }),
      );
      for (const [status, { content }] of Object.entries(responses)) {
        const examples = content?.['application/json'].examples ?? {};
        for (const [code, { value }] of Object.entries(examples)) {
          expect(isErrorCode(code) && String(statusOf(code))).to.equal(status);
          expect(value).to.deep.equal({ error: code });
        }
      }
    }
  });

  function example(path: string, status: number, body: unknown, headers: Record<string, string>) {
    return {
      method: 'GET',
      path,
      status,
      text: JSON.stringify(body),
      body,
      headers: new Headers({
        'content-type': 'application/json',
        'X-Request-Id': 'x',
        'X-Content-Type-Options': 'nosniff',
        ...headers,
      }),
    };
  }

  it('is what the parameters are checked by', async () => {
    for (const { path, parameters } of operations) {
      for (const { name, in: place, schema } of parameters) {
        // Of a range that a JSON number can tell; the others have tests of their own.
        if (place !== 'query' || schema['maximum'] === undefined) continue;
        const url = path.replaceAll(/\{\w+\}/g, daoPath().slice(13));
        for (const [value, ok] of [
          [schema['minimum'], true],
          [schema['maximum'], true],
          [Number(schema['minimum']) - 1, false],
          [BigInt(Number(schema['maximum'])) + 1n, false],
        ]) {
          expect(
            (await api.get(`${url}?${name}=${String(value)}`)).status,
            `${url} ${name}=${String(value)}`,
          ).to.equal(ok ? 200 : 400);
        }
      }
    }
  });

  it('notices an answer that it does not describe', async () => {
    const good = await api.get(daoPath());
    expectValid(good);
    const body = good.body as Record<string, unknown>;
    expect(() => expectValid({ ...good, status: 418 })).to.throw('not documented');
    expect(() => expectValid({ ...good, body: { ...body, more: 1 } })).to.throw('additional');
    expect(() => expectValid({ ...good, body: { ...body, total_supply: '01' } })).to.throw('pattern');
    expect(() => expectValid({ ...good, headers: new Headers() })).to.throw('X-Request-Id');
    const refused = { ...(await api.get(daoPath(), { token: null })), body: { error: 'not_found' } };
    expect(() => expectValid(refused)).to.throw('allowed values');
  });

  it('is made from one file in routes/ for each endpoint', () => {
    const list = readFileSync(new URL('../../api/endpoints.ts', import.meta.url), 'utf8');
    expect(list.match(/routes\//g)).to.have.length(endpoints.length);
  });
});
