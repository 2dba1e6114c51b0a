/** What one side costs in one round. */
export type Sample = () => Promise<number>;

/** Medians of rounds in which the sides take turns, so that what disturbs the machine disturbs both. */
export async function mediansOfRounds(
  rounds: number,
  ours: Sample,
  reference: Sample,
): Promise<{ ours: number; reference: number }> {
  const [a, b]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    // Who goes first changes too.
    if (round % 2 === 0) a.push(await ours());
    b.push(await reference());
    if (round % 2 === 1) a.push(await ours());
  }
  return { ours: median(a), reference: median(b) };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
