import type { Page, ReadDocument, ReadView } from '../shared/read-store/read-store.ts';
import { addressOf, commaSeparated } from './body-bytes.ts';
import type { Join } from './joined-list.ts';

/** How many a campaign shows of those who may contribute, and of those who did. */
const WHITELIST_SHOWN = 1000;
const CONTRIBUTORS_SHOWN = 100;

const HAS_WHITELIST = Buffer.from('"hasWhitelist":true');
const NONE: Page = { total: 0, version: '', items: [] };

/** What is the same for every campaign of an answer. */
export interface CampaignContext {
  dao: ReadDocument;
  /** The wallet that the token speaks for. */
  owner: string | undefined;
}

/** A stored campaign with what is joined at read: the lists of its own, the wallet's helper, the DAO. */
export async function joinCampaign(
  view: ReadView,
  stored: Buffer,
  { dao, owner }: CampaignContext,
): Promise<Join> {
  const campaign = addressOf(stored);
  const contributors = `contributors/${campaign}`;
  const whitelist = stored.includes(HAS_WHITELIST) ? `whitelist/${campaign}` : undefined;
  const [contributed, listed, helper] = await Promise.all([
    view.list(contributors),
    whitelist === undefined ? NONE : view.list(whitelist),
    owner === undefined ? undefined : view.get('helpers', `${campaign}/${owner}`),
  ]);
  const versions = (a: { version: string }, b: { version: string }) => [
    a.version,
    b.version,
    helper?.version ?? '',
  ];
  return {
    versions: versions(contributed, listed),
    async render() {
      const [first, allowed] = await Promise.all([
        view.joined(contributors, 0, CONTRIBUTORS_SHOWN),
        whitelist === undefined ? undefined : view.joined(whitelist, 0, WHITELIST_SHOWN),
      ]);
      const body = Buffer.concat([
        stored.subarray(0, -1),
        ...(allowed ? [Buffer.from(',"whitelist":['), ...commaSeparated(allowed.runs), END_LIST] : []),
        Buffer.from(',"contributors":['),
        ...commaSeparated(first.runs),
        Buffer.from(`],"participantsCount":${first.total}${daoName(dao)},"dao":`),
        dao.body,
        ...(helper ? [USER_HELPER, helper.body] : []),
        END,
      ]);
      return { body, versions: versions(first, allowed ?? NONE) };
    },
  };
}

const END_LIST = Buffer.from(']');
const END = Buffer.from('}');
const USER_HELPER = Buffer.from(',"userHelper":');

const names = new WeakMap<ReadDocument, string>();

/** Parsed once a document, not once a campaign. */
function daoName(dao: ReadDocument): string {
  let member = names.get(dao);
  if (member === undefined) {
    const { name } = JSON.parse(dao.body.toString()) as { name?: string };
    member = name === undefined ? '' : `,"daoName":${JSON.stringify(name)}`;
    names.set(dao, member);
  }
  return member;
}
