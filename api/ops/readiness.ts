import type { Logger } from 'pino';
import { inTime, type OpsStores, probes } from './stores.ts';

/** Why the API cannot answer now, empty where it can: it needs the read store and the revocation list. */
export async function readiness({ log, ...stores }: OpsStores & { log: Logger }): Promise<string[]> {
  const [live, list] = await Promise.allSettled([
    inTime(probes.read_store(stores)),
    inTime(probes.revocation_list(stores)),
  ]);
  for (const check of [live, list])
    if (check.status === 'rejected') log.warn({ err: check.reason }, 'not ready');

  const problems: string[] = [];
  if (live.status === 'rejected') problems.push('read_store_unavailable');
  else if (live.value === undefined) problems.push('no_live_generation');
  if (list.status === 'rejected') problems.push('revocation_list_unavailable');
  return problems;
}
