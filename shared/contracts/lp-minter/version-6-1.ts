import type { ContractVersion } from '../contract-version.ts';
import type { MinterEvent } from '../jetton/minter-event.ts';
import { ownedMinter } from '../jetton/owned-minter.ts';

/** LP minter 6.1: a TEP-74 minter that obeys its LP manager. */
export const lpMinter61: ContractVersion<MinterEvent> = { ...ownedMinter, kind: 'lp_minter', version: '6.1' };
