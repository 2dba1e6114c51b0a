import { expect } from 'chai';
import fc from 'fast-check';
import { CAMPAIGNS, FOREIGN, INVESTOR, OWNER } from './crowdfunding-story.ts';
import { exchange } from './exchange.ts';
import { ApiFixture, address, DAO } from './fixture.ts';
import { OTHER_DAO } from './story.ts';

/** 10,000 requests in all. */
const REQUESTS = 9_000;
const SOCKETS = 1_000;
const AT_ONCE = 50;

const NAMES =
  'limit offset masters_limit masters_offset holders_limit holders_offset status amount investor_address response_address owner_address query_id'.split(
    ' ',
  );

describe('fuzzing the API', () => {
  const api = new ApiFixture();
  before(() => api.start());
  after(() => api.stop());

  const junk = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }).map(encodeURIComponent),
    fc.stringMatching(/^[%a-z0-9+&=.:\-_[\]]{0,30}$/),
    fc.constantFrom(
      '%',
      '%2',
      '%zz',
      '%00',
      '%ff',
      '%2F',
      '..',
      '.',
      '',
      '%2e%2e',
      '__proto__',
      'constructor',
      'a'.repeat(3000),
    ),
  );
  const segment = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        DAO,
        OTHER_DAO,
        OWNER,
        address(0x905),
        encodeURIComponent(DAO),
        DAO.toUpperCase(),
      ),
    },
    { weight: 1, arbitrary: junk },
  );
  const campaign = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...CAMPAIGNS, FOREIGN) },
    { weight: 1, arbitrary: junk },
  );
  const path = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(
          fc.constant('/api/v1/daos'),
          segment,
          fc.constantFrom('', '/holders', '/proposals', '/crowdfundings', '/lp-masters-with-lp-holders'),
        )
        .map(([a, b, c]) => `${a}/${b}${c}`),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(segment, segment).map(([a, b]) => `/api/v1/daos/${a}/participants/${b}`),
    },
    {
      weight: 12,
      arbitrary: fc
        .tuple(campaign, fc.constantFrom('contribution-link', 'claim-link', 'vesting-claim-link'))
        .map(([a, b]) => `/api/v1/crowdfunding/campaigns/${a}/${b}`),
    },
    {
      weight: 4,
      arbitrary: fc.tuple(segment, segment).map(([a, b]) => `/api/v1/daos/${a}/proposals/${b}/votes`),
    },
    { weight: 1, arbitrary: fc.array(junk, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`) },
  );
  const value = fc.oneof(
    fc.integer().map(String),
    fc.double().map((n) => encodeURIComponent(String(n))),
    fc.bigInt().map(String),
    fc.bigInt({ min: 900_000_000n, max: 60_000_000_000n }).map(String),
    fc.constantFrom(OWNER, INVESTOR, 'active', 'failed'),
    junk,
  );
  const name = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: junk });
  const valid = fc.constantFrom(
    `amount=2000000000`,
    `amount=2000000000&investor_address=${INVESTOR}`,
    `owner_address=${OWNER}`,
  );
  const pair = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(name, value).map(([k, v]) => `${k}=${v}`) },
    { weight: 1, arbitrary: valid },
  );
  const query = fc.array(pair, { maxLength: 3 }).map((pairs) => (pairs.length ? `?${pairs.join('&')}` : ''));
  const headerText = fc.oneof(
    fc.constantFrom('*', '"x"', 'W/"', '""', ',', 'Bearer', 'bytes=0-1'),
    fc.stringMatching(/^[!-~ ]{0,40}$/),
    fc.stringMatching(/^[\u00a1-\u00ff]{0,9}$/),
  );
  const headers = fc.dictionary(
    fc.constantFrom(
      'if-none-match',
      'x-request-id',
      'authorization',
      'accept',
      'range',
      'cookie',
      'content-type',
    ),
    headerText,
    { maxKeys: 2 },
  );
  const method = fc.oneof(
    { weight: 12, arbitrary: fc.constant('GET') },
    { weight: 1, arbitrary: fc.constantFrom('HEAD', 'POST', 'DELETE', 'OPTIONS', 'PATCH') },
  );
  const owner = fc.boolean();

  it(`gives a documented answer and never a 500, to ${REQUESTS} requests`, async () => {
    const tokens = [api.token(), api.token({ owner: address(0x207) })] as const;
    const requests = fc.sample(fc.record({ path, query, headers, method, owner }), {
      numRuns: REQUESTS,
      seed: 42,
    });
    const statuses = new Map<number, number>();
    for (let from = 0; from < requests.length; from += AT_ONCE) {
      await Promise.all(
        requests.slice(from, from + AT_ONCE).map(async (request) => {
          const token = tokens[request.owner ? 1 : 0];
          const { status } = await api.get(request.path + request.query, {
            token,
            method: request.method,
            headers: request.headers,
          });
          expect(status, JSON.stringify(request)).to.be.lessThan(500);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }),
      );
    }
    // Else the fuzz would prove little: all sorts of answers were met.
    expect([...statuses.keys()]).to.include.members([200, 304, 400, 401, 403, 404, 405, 409]);
  });

  it(`gives one answer or none, and never a 500, to ${SOCKETS} connections of raw bytes`, async () => {
    const start = `GET /api/v1/daos/${DAO} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.token()}\r\n`;
    const tail = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom(
          '\r\n',
          'Content-Length: x\r\n\r\n',
          'Transfer-Encoding: chunked\r\n\r\nzz\r\n',
          'Content-Length: 5\r\n\r\nab',
          ': \r\n\r\n',
          'If-None-Match: \x00\r\n\r\n',
        )
        .map((text) => Buffer.from(text)),
    );
    const bytes = fc.oneof(
      fc
        .uint8Array({ maxLength: 100 })
        .map((raw) => Buffer.concat([Buffer.from(raw), Buffer.from('\r\n\r\n')])),
      tail.map((rest) => Buffer.concat([Buffer.from(start), rest, Buffer.from('\r\n\r\n')])),
      fc.tuple(fc.nat(start.length - 1), fc.nat(255)).map(([at, byte]) => {
        const changed = Buffer.from(`${start}\r\n`, 'latin1');
        changed[at] = byte;
        return changed;
      }),
    );
    const samples = fc.sample(bytes, { numRuns: SOCKETS, seed: 43 });
    for (let from = 0; from < samples.length; from += AT_ONCE) {
      await Promise.all(
        samples.slice(from, from + AT_ONCE).map(async (sample) => {
          const answer = await exchange(api.server.port, sample);
          if (answer === '') return;
          const told = `${sample.toString('latin1')}\n-> ${answer}`;
          expect(answer, told).to.match(/^HTTP\/1\.1 (100|200|304|400|401|403|404|405|408|431) /);
          expect(answer, told).to.match(/\{.*\}$|HTTP\/1\.1 304/s);
        }),
      );
    }
    expect((await api.get(`/api/v1/daos/${DAO}`)).status).to.equal(200);
  });
});
