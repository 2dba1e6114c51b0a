const HIGHEST_AMOUNT = (1n << 120n) - 1n;
const HIGHEST_UINT64 = (1n << 64n) - 1n;

/**
 * Sort keys are compared byte by byte: numbers are padded with zeros to one width, and what is to
 * be listed from the highest down is taken from the highest that there can be.
 */
export function amountDescending(amount: string): string {
  return (HIGHEST_AMOUNT - BigInt(amount)).toString(16).padStart(30, '0');
}

export function uint64Descending(value: string): string {
  return (HIGHEST_UINT64 - BigInt(value)).toString(16).padStart(16, '0');
}

export function uint64Ascending(value: string): string {
  return BigInt(value).toString(16).padStart(16, '0');
}

/** Unix seconds, soonest first; read by the API as well, which counts what has expired. */
export function timeAscending(seconds: number): string {
  return seconds.toString().padStart(12, '0');
}
