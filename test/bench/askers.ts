/** Answers a second by the clock, where `askers` ask at once and each again as soon as it has its answer. */
export async function answersASecond(
  askers: number,
  count: number,
  ask: (index: number) => Promise<unknown>,
): Promise<number> {
  let asked = 0;
  const one = async () => {
    while (asked < count) await ask(asked++);
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: askers }, one));
  return (count * 1000) / (performance.now() - start);
}
