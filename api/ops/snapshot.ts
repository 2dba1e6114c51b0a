import type { Logger } from 'pino';
import type { Generation } from '../../shared/read-store/read-store.ts';
import { inTime, type OpsStores, probes, type StoreName } from './stores.ts';

/** What the log and the read store tell together. */
export interface StoreStatus {
  /** Requested DAOs: true where they are to be tracked. */
  daos: Record<string, boolean>;
  partitions: { partition: number; end: number; seqno: number | null; time: number | null }[];
  generations: (Generation & {
    /** This process's version of the projections made it. */
    own: boolean;
    /** Records that are yet to be folded. */
    lag: number;
    deadLetters: number;
    digest: string;
    checkpoints: { partition: number; offset: number; lag: number }[];
    /** Opcodes and code hashes that no contract of the registry has. */
    unknown: {
      what: 'opcode' | 'code';
      kind: string;
      codeHash: string;
      opcode?: string | number;
      count: number;
      example: string;
    }[];
  })[];
}

/** What is known at one moment. */
export interface Snapshot {
  /** Unix milliseconds. */
  at: number;
  /** Whether each store answers. */
  stores: Record<StoreName, boolean>;
  /** Codes, empty where all is well. */
  problems: string[];
  /** Null where it could not be read. */
  status: StoreStatus | null;
  /** Seconds since the time of the block that the log is complete up to; null where it has none. */
  headLag: number | null;
}

export interface SnapshotOptions extends OpsStores {
  /** Reads the status anew. */
  status: () => Promise<StoreStatus>;
  log: Logger;
}

/** A snapshot is good for that long, so that many viewers cost what one does. */
const FRESH_MS = 1_000;

/** Gives the newest snapshot, taken anew once it is a second old; it never rejects. */
export function snapshots(options: SnapshotOptions): () => Promise<Snapshot> {
  const { log, ...stores } = options;
  /** Questions that are not answered yet, however long ago they were asked: nobody asks them again. */
  const asked = new Map<string, Promise<unknown>>();

  /** What failed the last time: told once, not at every look. */
  const failing = new Set<string>();

  const ask = async <T>(name: string, question: () => Promise<T>): Promise<T | Error> => {
    let answer = asked.get(name) as Promise<T> | undefined;
    if (answer === undefined) {
      answer = (async () => question())();
      asked.set(name, answer);
      void answer.catch(() => undefined).finally(() => asked.delete(name));
    }
    try {
      const answered = await inTime(answer);
      if (failing.delete(name)) log.info(`${name} can be read again`);
      return answered;
    } catch (error) {
      if (!failing.has(name)) log.warn({ err: error }, `${name} cannot be read`);
      failing.add(name);
      return error instanceof Error ? error : new Error(String(error));
    }
  };
  const answers = async (name: StoreName) =>
    !((await ask<unknown>(name, () => probes[name](stores))) instanceof Error);

  const take = async (): Promise<Snapshot> => {
    const [status, eventLog, readStore, revocationList] = await Promise.all([
      ask('status', options.status),
      answers('event_log'),
      answers('read_store'),
      answers('revocation_list'),
    ]);
    const known = status instanceof Error ? null : status;
    const up = { event_log: eventLog, read_store: readStore, revocation_list: revocationList };
    const problems = Object.entries(up).flatMap(([name, well]) => (well ? [] : `${name}_unavailable`));
    if (known === null && eventLog && readStore) problems.push('status_unavailable');
    const at = Date.now();
    return { at, stores: up, problems, status: known, headLag: headLagOf(known, at) };
  };

  let newest: Promise<Snapshot> | undefined;
  let goodUntil = 0;
  return () => {
    if (newest === undefined || performance.now() >= goodUntil) {
      goodUntil = Infinity;
      newest = take().finally(() => (goodUntil = performance.now() + FRESH_MS));
    }
    return newest;
  };
}

function headLagOf(status: StoreStatus | null, now: number): number | null {
  const times = (status?.partitions ?? []).flatMap(({ time }) => time ?? []);
  return times.length === 0 ? null : Math.max(0, Math.round(now / 100 - Math.min(...times) * 10) / 10);
}
