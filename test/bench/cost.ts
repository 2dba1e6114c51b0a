/** What projecting costs. */
export interface Cost {
  records: number;
  wallMicroseconds: number;
  cpuMicroseconds: number;
  /** Of what was folded, 64 hex digits: who folds the same records ends with the same. */
  digest: string;
}

/** Adds to `cost` what the action takes. */
export async function spend(cost: Cost, action: () => Promise<void>): Promise<void> {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  await action();
  const { user, system } = process.cpuUsage(cpu);
  cost.wallMicroseconds += (performance.now() - wall) * 1000;
  cost.cpuMicroseconds += user + system;
}
