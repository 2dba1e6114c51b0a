import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { parseJwtKeys } from '../../api/jwt-keys.ts';
import { type RunningServer, startApi } from '../../api/server.ts';
import { issueToken } from '../../api/tokens.ts';
import { openEmbeddedReadStore } from '../../shared/read-store/embedded.ts';
import type { ReadStore, StoredDocument } from '../../shared/read-store/read-store.ts';
import {
  campaignBody,
  helperBody,
  JETTON,
  MINTERS,
  NATIVE,
  OWNER,
  participantBody,
  SCHEDULE,
  SUCCESSFUL,
  termsBody,
  VESTED,
  vaultBody,
} from './crowdfunding-story.ts';
import { keysText } from './fixture.ts';
import { MemoryRevocations } from './memory-store.ts';
import { address, DAO, daoBody, descending, proposalBody } from './story.ts';

const NOW = 1_760_000_000;
const PROPOSAL = proposalBody(7, 'active').address;
const daoPath = `/api/v1/daos/${DAO}`;
const campaignPath = '/api/v1/crowdfunding/campaigns';
const PATHS = [
  daoPath,
  `${daoPath}/holders?limit=2`,
  `${daoPath}/proposals`,
  `${daoPath}/proposals/${PROPOSAL}/votes`,
  `${daoPath}/crowdfundings`,
  `${daoPath}/crowdfundings?status=active`,
  `${daoPath}/lp-masters-with-lp-holders`,
  `${daoPath}/participants/${OWNER}`,
  `${campaignPath}/${JETTON}/contribution-link?amount=2000000000&investor_address=${OWNER}`,
  `${campaignPath}/${SUCCESSFUL}/claim-link?owner_address=${OWNER}`,
  `${campaignPath}/${VESTED}/vesting-claim-link?owner_address=${OWNER}`,
];
const PROMOTIONS = 100;

interface Answer {
  text: string;
  etag: string;
  seqno: string | null;
}

describe('a promotion', () => {
  const keys = parseJwtKeys(keysText);
  const { token } = issueToken(keys, { dao: DAO, ttlSeconds: 3600, owner: OWNER }, NOW);
  let dir: string;
  let served: ReadStore;
  let operated: ReadStore;
  let api: RunningServer;

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'promotion-'));
    served = await openEmbeddedReadStore(dir);
    operated = await openEmbeddedReadStore(dir);
    api = await startApi({
      store: served,
      revocations: new MemoryRevocations(),
      keys,
      clock: () => NOW,
      links: { network: 'mainnet', resolveJettonWallet: (minter) => Promise.resolve(minter) },
      log: pino({ level: 'silent' }),
      port: 0,
    });
  });

  after(async () => {
    await api.close();
    await operated.close();
    await served.close();
    rmSync(dir, { recursive: true });
  });

  async function get(path: string, etag = ''): Promise<Answer & { status: number }> {
    const headers = { authorization: `Bearer ${token}`, 'if-none-match': etag };
    const response = await fetch(api.url + path, { headers });
    const text = await response.text();
    return {
      status: response.status,
      text,
      etag: response.headers.get('etag') ?? '',
      seqno: response.headers.get('x-indexed-seqno'),
    };
  }

  async function built(mark: number): Promise<string> {
    const { id } = await operated.create(String(mark), 1);
    const writer = await operated.openWriter(id);
    const start = await writer.checkpoint(0);
    const checkpoint = { ...start, offset: 1, asOf: { seqno: mark, time: NOW } };
    await writer.commit({ partition: 0, base: start, checkpoint, documents: documentsOf(mark) });
    await writer.close();
    return id;
  }

  it('is followed at once by every endpoint, and no answer is of two generations', async () => {
    const ids = [await built(1), await built(2)];
    const pure: Map<string, Answer>[] = [];
    for (const id of ids) {
      await operated.promote(id);
      const answers = new Map<string, Answer>();
      for (const path of PATHS) {
        const { status, ...answer } = await get(path);
        expect(status, `${path} ${answer.text}`).to.equal(200);
        answers.set(path, answer);
      }
      pure.push(answers);
    }
    for (const path of PATHS) {
      const [a, b] = pure.map((answers) => answers.get(path));
      expect(a?.text, path).to.not.equal(b?.text);
      expect(a?.etag, path).to.not.equal(b?.etag);
    }

    let answered = 0;
    const seen = new Set<string>();
    const ended = new AbortController();
    /** Which generation the answer is of, wholly. */
    const generationOf = (path: string, { status, ...answer }: Awaited<ReturnType<typeof get>>): number => {
      const found = pure.findIndex((answers) => {
        const { text, etag, seqno } = answers.get(path) as Answer;
        return answer.etag === etag && answer.seqno === seqno && (status === 304 || answer.text === text);
      });
      expect(found, `${path} ${status} ${answer.etag} ${answer.seqno} ${answer.text}`).to.not.equal(-1);
      answered++;
      return found;
    };
    const client = async () => {
      const etags = new Map<string, string>();
      for (let turn = 0; !ended.signal.aborted; turn++)
        for (const path of PATHS) {
          const known = turn % 3 === 0 ? '' : (etags.get(path) ?? '');
          const answer = await get(path, known);
          expect(answer.status === 304, path).to.equal(answer.etag === known);
          etags.set(path, answer.etag);
          seen.add(`${path} ${generationOf(path, answer)} ${answer.status}`);
        }
    };
    const clients = Promise.all(Array.from({ length: 6 }, client));
    clients.catch(() => ended.abort());
    for (let turn = 0; turn < PROMOTIONS && !ended.signal.aborted; turn++) {
      const promoted = turn % 2;
      await operated.promote(ids[promoted] as string);
      const path = PATHS[turn % PATHS.length] as string;
      expect(generationOf(path, await get(path))).to.equal(promoted);
      const goal = answered + 7 + (turn % 20);
      await until(() => answered >= goal || ended.signal.aborted);
    }
    ended.abort();
    await clients;
    const all = PATHS.flatMap((path) => ['0 200', '1 200', '0 304', '1 304'].map((how) => `${path} ${how}`));
    expect([...seen]).to.include.members(all);
  });
});

async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((resolve) => setImmediate(resolve));
}

/** Documents for every endpoint, no two of which are the same in generations of different marks. */
function documentsOf(mark: number): StoredDocument[] {
  const named = <T extends { name: string }>(body: T) => ({ ...body, name: `${body.name} ${mark}` });
  const marked = address(0xa0000 + mark);
  const currency = address(0xc0000 + mark);
  const campaign = (at: string, more: object, terms: object = {}) => [
    document(
      'campaigns',
      at,
      named(campaignBody(at, more)),
      [`campaigns/${DAO}`, at],
      [`campaigns/${DAO}/active`, at],
    ),
    document('campaign_terms', at, termsBody(terms)),
    document('helpers', `${at}/${OWNER}`, helperBody(at, { address: marked })),
    document('contributors', at, { address: marked, amount: '5' }, [`contributors/${at}`, '1']),
    document('whitelist', `${at}/${OWNER}`, OWNER, [`whitelist/${at}`, '1']),
    document('whitelist', `${at}/${marked}`, marked, [`whitelist/${at}`, '2']),
  ];
  const holder = (model: string, list: string, n: number) =>
    document(model, `${list}/${n}`, { owner_address: marked, balance: String(n) }, [list, String(n)]);
  return [
    document('dao', DAO, named(daoBody)),
    document('dao_state', DAO, { state: 'live' }),
    ...[1, 2, 3].map((n) => holder('holders', `holders/${DAO}`, n)),
    ...[7, 8].map((id) => {
      const body = named(proposalBody(id, 'active'));
      return document('proposals', `${DAO}/${body.address}`, body, [`proposals/${DAO}`, descending(id)]);
    }),
    document('votes', `${DAO}/${PROPOSAL}/${OWNER}`, { voter_address: marked }, [
      `votes/${DAO}/${PROPOSAL}`,
      '1',
    ]),
    ...campaign(NATIVE, { hasWhitelist: true }),
    ...campaign(JETTON, { isNative: false, jettonMasterAddress: currency }, { currency }),
    ...campaign(SUCCESSFUL, { status: 'successful' }),
    ...campaign(VESTED, { status: 'successful', hasVesting: true }, { vesting: SCHEDULE }),
    document('vaults', `${VESTED}/${OWNER}`, vaultBody({ vaultAddress: marked })),
    document('participants', `${DAO}/${OWNER}`, { ...participantBody, activeCount: mark }),
    document('lp_masters', MINTERS[0], { lpJettonMasterAddress: MINTERS[0], campaignAddresses: [marked] }, [
      `lp_masters/${DAO}`,
      '0',
    ]),
    ...[1, 2].map((n) => holder('lp_holders', `lp_holders/${DAO}/${MINTERS[0]}`, n)),
  ];
}

function document(model: string, key: string, body: unknown, ...entries: [string, string][]): StoredDocument {
  return {
    model,
    key,
    dao: DAO,
    body: Buffer.from(JSON.stringify(body)),
    state: null,
    entries: entries.map(([list, sortKey]) => ({ list, sortKey })),
    offset: 0,
  };
}
