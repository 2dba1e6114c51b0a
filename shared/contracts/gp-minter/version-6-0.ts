import { type ContractVersion, on } from '../contract-version.ts';
import { changeAdmin } from '../governance/change-admin.ts';
import { changeContent } from '../governance/change-content.ts';
import { mint } from '../governance/mint.ts';
import { provideVotingData } from '../governance/provide-voting-data.ts';
import { upgrade } from '../governance/upgrade.ts';
import { loadJettonContent } from '../jetton/content.ts';
import type { MinterEvent } from './event.ts';
import { tep74Minter } from './tep-74.ts';

/** GP minter: a TEP-74 minter that obeys its admin and answers proposals. */
export const gpMinter60: ContractVersion<MinterEvent> = {
  ...tep74Minter,
  version: '6.0',
  receives: [
    ...tep74Minter.receives,
    on(mint),
    on(changeAdmin, ({ newAdmin }) => ({ type: 'admin_changed', admin: newAdmin.toRawString() })),
    on(changeContent, ({ content }) => ({
      type: 'content_changed',
      metadata: loadJettonContent(content).metadata,
    })),
    on(provideVotingData),
    on(upgrade),
  ],
};
