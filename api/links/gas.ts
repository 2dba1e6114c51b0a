import { toNano } from '@ton/core';

// Nanoton that links send. "asked" is the least that the contract takes (the constants named, measured on
// the devnet at mainnet's prices), "used" the worst case measured; what is not used comes back as excesses.
// The margin over what is asked covers a wallet that pays the forward fee out of the value, and the rent
// that a contract may owe by then.

/** Beside the amount of a native contribution. CONTRIBUTE_GAS: asked 0.06, used 0.0387, margin 0.02. */
export const CONTRIBUTE_RESERVE = toNano('0.08');

/** Forwarded to the campaign with jettons. JETTON_CONTRIBUTE_GAS: asked 0.1, used 0.0793, margin 0.01. */
export const JETTON_FORWARD = toNano('0.11');

/**
 * Of a jetton contribution in all: the forward amount and the work of two jetton wallets. Ours ask for
 * 0.012; wallets of other code in use for about 0.04, so that 0.06 has a margin of 0.02.
 */
export const JETTON_CONTRIBUTE_VALUE = JETTON_FORWARD + toNano('0.06');

/**
 * Initial claim. CLAIM_GAS: asked 0.05 of what the helper hands on, which is less by its own work (0.0052)
 * and by rent of up to 0.02 that it may have to make up for; margin 0.0248.
 */
export const CLAIM_VALUE = toNano('0.1');

/** The same into a vesting vault that is yet to be deployed. CLAIM_INTO_VAULT_GAS: asked 0.11. */
export const CLAIM_INTO_VAULT_VALUE = toNano('0.16');

/** Vested claim. CLAIM_VESTED_GAS: asked 0.05, used 0.0178, and rent of up to 0.03 to be made up for; margin 0.02. */
export const CLAIM_VESTED_VALUE = toNano('0.07');
