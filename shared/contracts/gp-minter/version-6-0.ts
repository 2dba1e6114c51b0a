import { type ContractVersion, on } from '../contract-version.ts';
import { provideVotingData } from '../governance/provide-voting-data.ts';
import type { MinterEvent } from '../jetton/minter-event.ts';
import { ownedMinter } from '../jetton/owned-minter.ts';

/** GP minter: a TEP-74 minter that obeys its admin and answers proposals. */
export const gpMinter60: ContractVersion<MinterEvent> = {
  ...ownedMinter,
  kind: 'gp_minter',
  version: '6.0',
  receives: [...ownedMinter.receives, on(provideVotingData)],
};
