import type { MinterEvent } from '../../shared/contracts/jetton/minter-event.ts';
import type { AccountFold, FoldContext, Folded, JsonObject } from '../account-fold.ts';
import { learnMetadata, type MetadataState, metadataChangedBy, metadataOf } from './jetton-metadata.ts';

export type LpMinterState = MetadataState & {
  dao: string;
  account: string;
  /** The LP manager that deployed it. */
  manager: string | null;
  /** Logical time of its first transaction. */
  created_lt: string;
};

/** An LP minter: what its LP manager shows of it in the DAO, and its place among the LP masters. */
export const lpMinterFold: AccountFold<LpMinterState, MinterEvent> = {
  kind: 'lp_minter',
  version: 1,
  start: ({ dao, account, parent }) => ({
    state: { dao, account, manager: parent, created_lt: '0', metadata: {}, fetched: {} },
    parts: [],
  }),
  apply: (state, event, context) =>
    event.type === 'minter_deployed' || event.type === 'content_changed'
      ? said(changedBy(state, event, context))
      : { state, parts: [] },
  learn: (state, fact) => said(learnMetadata(state, fact)),
};

function changedBy(state: LpMinterState, event: MinterEvent, { lt }: FoldContext): LpMinterState {
  const next = metadataChangedBy(state, event);
  return event.type === 'minter_deployed' ? { ...next, created_lt: lt } : next;
}

function said(state: LpMinterState): Folded<LpMinterState> {
  const { dao, account, manager, created_lt } = state;
  const shown = { lp_minter: account, manager, jetton_metadata: metadataOf(state) } satisfies JsonObject;
  return {
    state,
    parts: [
      { projection: 'dao', key: dao, part: shown },
      { projection: 'lp_masters', key: `${dao}/${account}`, part: { minter: account, created_lt } },
    ],
  };
}
