import { toNano } from '@ton/core';

// Nanoton that links send. "Asked" is the least that the contract takes, by the constant named; "needed" is
// what the worst case needs on the way, measured on the devnet at mainnet's prices (the tables stand with
// the contracts, `test/devnet/contracts/campaign-money.tolk`). What is not used comes back as excesses. The
// margin is over what is asked: for a wallet that pays the forward fee out of the value, and for rent that
// a contract on the way may have to make up for.

/** Beside the amount of a native contribution. CONTRIBUTE_GAS: asked 0.06, needed 0.0387; margin 0.02. */
export const CONTRIBUTE_RESERVE = toNano('0.08');

/** Forwarded to the campaign with jettons. JETTON_CONTRIBUTE_GAS: asked 0.1, needed 0.08; margin 0.01. */
export const JETTON_FORWARD = toNano('0.11');

/**
 * Of a jetton contribution in all: the forward amount and the work of two jetton wallets. Ours ask for
 * 0.012; wallets of other code in use for about 0.04, over which the margin is 0.02.
 */
export const JETTON_CONTRIBUTE_VALUE = JETTON_FORWARD + toNano('0.06');

/**
 * Initial claim. CLAIM_GAS: asked 0.05 of what the helper hands on, needed 0.0417. The helper's own work
 * takes 0.0052 and its rent up to 0.02 after some six years; margin 0.0248 over all that.
 */
export const CLAIM_VALUE = toNano('0.1');

/**
 * The same into a vesting vault that is yet to be deployed. CLAIM_INTO_VAULT_GAS: asked 0.11, needed
 * 0.0976; the same margin.
 */
export const CLAIM_INTO_VAULT_VALUE = toNano('0.16');

/** Vested claim. CLAIM_VESTED_GAS: asked 0.05, needed 0.0178 and up to 0.03 for the vault's rent; margin 0.02. */
export const CLAIM_VESTED_VALUE = toNano('0.07');
