import type { Logger } from 'pino';
import type { ReadStore } from '../../shared/read-store/read-store.ts';
import type { RevocationList } from '../../shared/revocations/revocation-list.ts';

/** A store that has not answered by then would not answer a client in time either. */
const TIMEOUT_MS = 2_000;

interface Dependencies {
  store: ReadStore;
  revocations: RevocationList;
  log: Logger;
}

/** Why the API cannot answer now, empty where it can. */
export async function readiness({ store, revocations, log }: Dependencies): Promise<string[]> {
  const generation = () => store.view((view) => Promise.resolve(view.generation.id));
  const [live, list] = await Promise.allSettled([
    inTime(generation()),
    inTime(revocations.isRevoked('readyz')),
  ]);
  for (const check of [live, list])
    if (check.status === 'rejected') log.warn({ err: check.reason }, 'not ready');

  const problems: string[] = [];
  if (live.status === 'rejected') problems.push('read_store_unavailable');
  else if (live.value === undefined) problems.push('no_live_generation');
  if (list.status === 'rejected') problems.push('revocation_list_unavailable');
  return problems;
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
    void answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
