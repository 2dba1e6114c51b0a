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
import {
  campaignBody,
  helperBody,
  MINTERS,
  NATIVE,
  OWNER,
  participantBody,
  termsBody,
} from './crowdfunding-story.ts';
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
    dao: DAO,
    body: Buffer.from(JSON.stringify(body)),
    state: null,
    entries: entries.map(([list, sortKey]) => ({ list, sortKey })),
    offset,
  });

  async function commit(documents: StoredDocument[]): Promise<void> {
    const from = offset;
    offset += 1;
    const asOf = { seqno: 100 + offset, time: 1_750_000_000 };
    const checkpoint = { offset, asOf, digest: '0'.repeat(64), edits: 0, tally: {} };
    const partition = partitionOf(DAO, PARTITIONS);
    expect(
      await writer.commit({ partition, base: { offset: from, edits: 0 }, checkpoint, documents }),
    ).to.equal('committed');
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

  it('joins what each commit left of campaigns, LP masters and participants', async () => {
    const campaign = campaignBody(NATIVE, { hasWhitelist: true });
    const contributor = (n: number, amount: string) =>
      document('contributors', `${NATIVE}/${n}`, { address: address(n), amount }, [
        `contributors/${NATIVE}`,
        String(n),
      ]);
    const holder = (n: number) =>
      document('lp_holders', String(n), { ownerAddress: address(n) }, [
        `lp_holders/${DAO}/${MINTERS[0]}`,
        String(n),
      ]);
    const master = { lpJettonMasterAddress: MINTERS[0], campaignAddresses: [NATIVE] };
    await commit([
      document('campaigns', NATIVE, campaign, [`campaigns/${DAO}`, '1'], [`campaigns/${DAO}/active`, '1']),
      document('campaign_terms', NATIVE, termsBody()),
      document('helpers', `${NATIVE}/${OWNER}`, helperBody(NATIVE)),
      document('whitelist', `${NATIVE}/${OWNER}`, OWNER, [`whitelist/${NATIVE}`, '1']),
      contributor(1, '5'),
      document('lp_masters', MINTERS[0], master, [`lp_masters/${DAO}`, '1']),
      holder(1),
      document('participants', `${DAO}/${OWNER}`, participantBody),
    ]);
    const owned = issueToken(keys, { dao: DAO, ttlSeconds: 60, owner: OWNER }, now);
    const first = await get('/crowdfundings?status=active', '', owned);
    expect(JSON.parse(first.text)).to.deep.equal({
      total: 1,
      items: [
        {
          ...campaign,
          whitelist: [OWNER],
          contributors: [{ address: address(1), amount: '5' }],
          participantsCount: 1,
          daoName: daoBody.name,
          dao: daoBody,
          userHelper: helperBody(NATIVE),
        },
      ],
    });
    const masters = await get('/lp-masters-with-lp-holders');
    const holders = [{ ownerAddress: address(1) }];
    expect(JSON.parse(masters.text)).to.deep.equal({
      total: 1,
      items: [{ ...master, holdersTotal: 1, holders }],
    });
    expect((await get(`/participants/${OWNER}`)).text).to.equal(JSON.stringify(participantBody));

    await commit([contributor(2, '4')]);
    expect((await get('/lp-masters-with-lp-holders', masters.etag)).status).to.equal(304);
    const second = await get('/crowdfundings?status=active', first.etag, owned);
    expect(second.text).to.contain('"participantsCount":2');
    await commit([holder(2)]);
    expect((await get('/crowdfundings?status=active', second.etag, owned)).status).to.equal(304);
    expect((await get('/lp-masters-with-lp-holders', masters.etag)).text).to.contain('"holdersTotal":2');
    await commit([document('helpers', `${NATIVE}/${OWNER}`, helperBody(NATIVE, { isClaimed: true }))]);
    expect((await get('/crowdfundings?status=active', second.etag, owned)).text).to.contain(
      '"isClaimed":true',
    );
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
