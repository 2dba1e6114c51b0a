import type { MinterEvent } from '../../shared/contracts/jetton/minter-event.ts';
import { type AccountFold, changed, type Folded, type JsonObject } from '../account-fold.ts';

export type MinterState = {
  dao: string;
  total_supply: string;
  /** What the chain says of the jetton. */
  metadata: { [attribute: string]: string };
  /** What was fetched, by URI. */
  fetched: { [uri: string]: JsonObject };
};

/** The minter of a DAO's GP jetton: supply and metadata. */
export const gpMinterFold: AccountFold<MinterState, MinterEvent> = {
  kind: 'gp_minter',
  version: 1,
  start: ({ dao }) => said({ dao, total_supply: '0', metadata: {}, fetched: {} }),
  apply: (state, event) => said(changedBy(state, event)),
  learn: (state, fact) =>
    said(
      fact.type === 'jetton_metadata'
        ? { ...state, fetched: { ...state.fetched, [fact.uri]: fact.metadata } }
        : state,
    ),
};

function changedBy(state: MinterState, event: MinterEvent): MinterState {
  switch (event.type) {
    case 'minter_deployed':
      return { ...state, total_supply: event.total_supply, metadata: event.metadata };
    case 'minted':
      return { ...state, total_supply: changed(state.total_supply, BigInt(event.amount)) };
    case 'mint_bounced':
    case 'supply_burned':
      return { ...state, total_supply: changed(state.total_supply, -BigInt(event.amount)) };
    case 'content_changed':
      return { ...state, metadata: event.metadata };
    case 'admin_changed':
      return state;
  }
}

/** What the chain says of the jetton stands above what was fetched (TEP-64, semi-chain). */
function said(state: MinterState): Folded<MinterState> {
  const { uri } = state.metadata;
  const fetched = uri === undefined ? undefined : state.fetched[uri];
  const jetton_metadata = { ...fetched, ...state.metadata };
  const part = { total_supply: state.total_supply, jetton_metadata };
  return { state, parts: [{ projection: 'dao', key: state.dao, part }] };
}
