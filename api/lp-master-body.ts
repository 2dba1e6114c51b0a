import type { ListState, ReadView } from '../shared/read-store/read-store.ts';
import { commaSeparated, readText, textSpan } from './body-bytes.ts';
import type { Join } from './joined-list.ts';

const MINTER = Buffer.from('"lpJettonMasterAddress":"');
const END = Buffer.from(']}');

/** A stored LP master of the DAO with a page of its holders. */
export async function joinHolders(
  view: ReadView,
  stored: Buffer,
  { dao, offset, limit }: { dao: string; offset: number; limit: number },
): Promise<Join> {
  const list = `lp_holders/${dao}/${readText(stored, textSpan(stored, MINTER))}`;
  const state = await view.list(list);
  return {
    versions: [state.version],
    async render() {
      const page = offset < state.total ? await view.joined(list, offset, limit) : { ...state, runs: [] };
      return { body: withHolders(stored, page, page.runs), versions: [page.version] };
    },
  };
}

function withHolders(stored: Buffer, { total }: ListState, holders: readonly Buffer[]): Buffer {
  return Buffer.concat([
    stored.subarray(0, -1),
    Buffer.from(`,"holdersTotal":${total},"holders":[`),
    ...commaSeparated(holders),
    END,
  ]);
}
