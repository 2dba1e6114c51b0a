import type { EventLog } from '../../shared/event-log/event-log.ts';
import type { ReadStore } from '../../shared/read-store/read-store.ts';
import type { RevocationList } from '../../shared/revocations/revocation-list.ts';

/** A store that has not answered by then would not answer a client in time either. */
const TIMEOUT_MS = 2_000;

export interface OpsStores {
  eventLog: Pick<EventLog, 'ends'>;
  store: Pick<ReadStore, 'view'>;
  revocations: Pick<RevocationList, 'isRevoked'>;
}

/** The least that can be asked of each store, by the name that operators know it by. */
export const probes = {
  event_log: ({ eventLog }: OpsStores) => eventLog.ends(),
  read_store: ({ store }: OpsStores) => store.view((view) => Promise.resolve(view.generation.id)),
  revocation_list: ({ revocations }: OpsStores) => revocations.isRevoked('probe'),
};

export type StoreName = keyof typeof probes;

/** Rejects where the answer takes longer than a client would wait. */
export function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
    void answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
