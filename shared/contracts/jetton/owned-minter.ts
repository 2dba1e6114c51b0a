import { type ContractVersion, on } from '../contract-version.ts';
import { changeAdmin } from '../governance/change-admin.ts';
import { changeContent } from '../governance/change-content.ts';
import { mint } from '../governance/mint.ts';
import { upgrade } from '../governance/upgrade.ts';
import { loadJettonContent } from './content.ts';
import { excesses } from './excesses.ts';
import type { MinterEvent } from './minter-event.ts';
import { tep74Minter } from './tep-74-minter.ts';

/** A TEP-74 minter with the messages by which the minters of the family obey their admin. */
export const ownedMinter: Omit<ContractVersion<MinterEvent>, 'kind' | 'version'> = {
  ...tep74Minter,
  receives: [
    ...tep74Minter.receives,
    on(mint),
    on(changeAdmin, ({ newAdmin }) => ({ type: 'admin_changed', admin: newAdmin.toRawString() })),
    on(changeContent, ({ content }) => ({
      type: 'content_changed',
      metadata: loadJettonContent(content).metadata,
    })),
    on(excesses),
    on(upgrade),
  ],
};
