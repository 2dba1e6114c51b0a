import type { MinterEvent } from '../../shared/contracts/jetton/minter-event.ts';
import { type AccountFold, changed, type Folded } from '../account-fold.ts';
import { learnMetadata, type MetadataState, metadataChangedBy, metadataOf } from './jetton-metadata.ts';

export type GpMinterState = MetadataState & { dao: string; total_supply: string };

/** The minter of a DAO's GP jetton: supply and metadata. */
export const gpMinterFold: AccountFold<GpMinterState, MinterEvent> = {
  kind: 'gp_minter',
  version: 1,
  start: ({ dao }) => said({ dao, total_supply: '0', metadata: {}, fetched: {} }),
  apply: (state, event) => said(metadataChangedBy(supplyChangedBy(state, event), event)),
  learn: (state, fact) => said(learnMetadata(state, fact)),
};

function supplyChangedBy(state: GpMinterState, event: MinterEvent): GpMinterState {
  switch (event.type) {
    case 'minter_deployed':
      return { ...state, total_supply: event.total_supply };
    case 'minted':
      return { ...state, total_supply: changed(state.total_supply, BigInt(event.amount)) };
    case 'mint_bounced':
    case 'supply_burned':
      return { ...state, total_supply: changed(state.total_supply, -BigInt(event.amount)) };
    case 'content_changed':
    case 'admin_changed':
      return state;
  }
}

function said(state: GpMinterState): Folded<GpMinterState> {
  const part = { total_supply: state.total_supply, jetton_metadata: metadataOf(state) };
  return { state, parts: [{ projection: 'dao', key: state.dao, part }] };
}
