import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { parseJwtKeys } from '../../api/jwt-keys.ts';
import { type RunningServer, startApi } from '../../api/server.ts';
import { issueToken, revocationOf } from '../../api/tokens.ts';
import { partitionOf } from '../../shared/event-log/partition.ts';
import { openEmbeddedReadStore } from '../../shared/read-store/embedded.ts';
import type { GenerationWriter, ReadStore, StoredDocument } from '../../shared/read-store/read-store.ts';
import { openEmbeddedRevocationList } from '../../shared/revocations/embedded.ts';
import type { RevocationList } from '../../shared/revocations/revocation-list.ts';
import { keysText } from './fixture.ts';
import { address, DAO, daoBody, descending, expiryOf, proposalBody } from './story.ts';

const PARTITIONS = 4;

describe('the API on the embedded stores', () => {
  const keys = parseJwtKeys(keysText);
  let dir: string;
  let store: ReadStore;
  let revocations: RevocationList;
  let writer: GenerationWriter;
  let api: RunningServer;
  let offset = 0;
  let now = expiryOf(7) - 1;

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'api-'));
    store = await openEmbeddedReadStore(dir);
    revocations = await openEmbeddedRevocationList(dir, () => now);
    const { id } = await store.create('1', PARTITIONS);
    writer = await store.openWriter(id);
    api = await startApi({
      store,
      revocations,
      keys,
      clock: () => now,
      log: pino({ level: 'silent' }),
      port: 0,
    });
  });
  after(async () => {
    await api.close();
    await writer.close();
    await revocations.close();
    await store.close();
    rmSync(dir, { recursive: true });
  });

  const document = (
    model: string,
    key: string,
    body: unknown,
    ...entries: [list: string, sortKey: string][]
  ) => ({
    model,
    key,
    body: Buffer.from(JSON.stringify(body)),
    state: null,
    entries: entries.map(([list, sortKey]) => ({ list, sortKey })),
    offset,
  });

  async function commit(documents: StoredDocument[]): Promise<void> {
    const from = offset;
    offset += 1;
    const checkpoint = { offset, asOf: { seqno: 100 + offset, time: 1_750_000_000 }, digest: '0'.repeat(64) };
    const partition = partitionOf(DAO, PARTITIONS);
    expect(await writer.commit({ partition, from, checkpoint, documents })).to.equal('committed');
  }

  async function get(
    path: string,
    etag = '',
    { token } = issueToken(keys, { dao: DAO, ttlSeconds: 60 }, now),
  ) {
    const headers = { authorization: `Bearer ${token}`, 'if-none-match': etag };
    const response = await fetch(`${api.url}/api/v1/daos/${DAO}${path}`, { headers });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      etag: response.headers.get('etag') ?? '',
    };
  }

  it('shows each commit to the next request, with an ETag that moves with what it shows', async () => {
    expect((await get('')).status).to.equal(404);
    const proposal = proposalBody(7, 'active');
    await commit([
      document('dao', DAO, daoBody),
      document('dao_state', DAO, { state: 'live' }),
      document('holder', '1', { balance: '5' }, [`holders/${DAO}`, '1']),
      document('proposal', proposal.address, proposal, [`proposals/${DAO}`, descending(7)]),
      document('undecided', proposal.address, {}, [
        `undecided/${DAO}`,
        `00${expiryOf(7)}/${proposal.address}`,
      ]),
    ]);
    const dao = await get('');
    expect(dao.text).to.equal(JSON.stringify(daoBody));
    expect(dao.headers.get('x-indexed-seqno')).to.equal('101');
    const holders = await get('/holders');
    expect(holders.text).to.equal('{"total":1,"items":[{"balance":"5"}]}');
    const proposals = await get('/proposals');
    expect(JSON.parse(proposals.text)).to.deep.equal({ total: 1, items: [{ ...proposal, dao: daoBody }] });

    await commit([document('holder', '2', { balance: '4' }, [`holders/${DAO}`, '2'])]);
    const same = await get('', dao.etag);
    expect([same.status, same.headers.get('x-indexed-seqno')]).to.deep.equal([304, '102']);
    expect((await get('/proposals', proposals.etag)).status).to.equal(304);
    expect((await get('/holders', holders.etag)).text).to.equal(
      '{"total":2,"items":[{"balance":"5"},{"balance":"4"}]}',
    );

    now += 1;
    const rejected = await get('/proposals', proposals.etag);
    expect(rejected.text).to.contain('"status":"rejected"');
    expect((await get(`/proposals/${address(1)}/votes`)).text).to.equal('{"total":0,"items":[]}');
  });

  it('sees a revocation at once', async () => {
    const issued = issueToken(keys, { dao: DAO, ttlSeconds: 60 }, now);
    expect((await get('', '', issued)).status).to.equal(200);
    await revocations.revoke(revocationOf(keys, issued.token));
    expect((await get('', '', issued)).status).to.equal(401);
  });

  it('fails closed once the store of revocations is shut', async () => {
    await revocations.close();
    expect((await get('')).status).to.equal(500);
    revocations = await openEmbeddedRevocationList(dir, () => now);
  });
});
