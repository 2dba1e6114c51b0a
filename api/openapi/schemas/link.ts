import { WARNINGS } from '../../links/contribution.ts';
import { address, amount, arrayOf, boolean, object, oneOf, ref, text, timestamp } from '../schema.ts';

const details = object('The message of the link, in its parts.', {
  to: text('Destination: user-friendly, url-safe, bounceable.'),
  valueNanoton: amount('Nanoton sent with the message.'),
  bodyBocBase64Url: text('BOC of the body, base64url without padding.'),
});

const tonTransfer = object('The link.', {
  uri: text('`ton://transfer/<address>?amount=<nanoton>&bin=<body>`, ready to sign.'),
});

const warnings = arrayOf(
  oneOf(
    WARNINGS,
    'A reason why the contract sends the message back. `whitelist_enforced_on_chain`: the campaign has a whitelist, and the sender was not checked here (native campaigns); `amount_exceeds_remaining_hardcap`: amount > maxTotalAmount - totalAmount, refused as a whole; `campaign_not_started`, `campaign_ended`: by the clock; `campaign_code_unknown`: the contract was upgraded to a code that this service does not know yet.',
  ),
  'Empty where the contract accepts the message of an eligible wallet with the funds.',
);

export const linkSchemas = {
  ContributionLink: object(
    'A transfer that contributes to a campaign.',
    {
      isNative: boolean('True where coins are collected, false for a jetton.'),
      campaignAddress: address('The campaign.'),
      tonTransfer,
      details: ref('LinkDetails'),
      warnings,
    },
    {
      miniAppLink: text(
        'Deep link into the mini app, where one is configured: `https://t.me/<bot>/<app>?startapp=contribute_<campaign>_<amount>`, the campaign as its 48-character url-safe address (read it with `^contribute_([\\w-]{48})_([0-9]+)$`).',
      ),
    },
  ),
  ClaimLink: object(
    'A transfer that claims LP.',
    {
      kind: oneOf(['initial_claim', 'vested_claim'], 'Which claim.'),
      campaignAddress: address('The campaign.'),
      tonTransfer,
      details: ref('LinkDetails'),
      warnings,
    },
    { vesting: ref('LinkVesting') },
  ),
  LinkDetails: details,
  LinkVesting: object('The vesting as it is now; what the vault will hold, before it exists.', {
    phase: oneOf(
      ['not_started', 'cliff', 'vesting', 'fully_vested', 'released'],
      'Half-open phases: before vestingStart, before the end of the cliff, before vestingEnd, after it; `released` in an emergency.',
    ),
    claimableAmount: amount('LP vested and not yet claimed.'),
    vestedAmount: amount('LP vested.'),
    totalLpAmount: amount('LP locked in all.'),
    claimedLpAmount: amount('LP claimed.'),
    vestingEnd: timestamp('End of the vesting.'),
  }),
};
