import type {
  Checkpoint,
  CommitBatch,
  ListEntry,
  StoredDocument,
} from '../../shared/read-store/read-store.ts';

const DAO = `0:${'da'.repeat(32)}`;

/** A document whose body is `body` as JSON, or that has none where it is null. */
export function documentOf(
  key: string,
  body: unknown,
  entries: ListEntry[] = [],
  offset = 0,
): StoredDocument {
  return {
    model: 'holder',
    key,
    dao: DAO,
    body: body === null ? null : Buffer.from(JSON.stringify(body)),
    state: Buffer.from(JSON.stringify({ state: key })),
    entries,
    offset,
  };
}

export function entry(list: string, sortKey: string): ListEntry {
  return { list, sortKey };
}

export function checkpointAt(offset: number): Checkpoint {
  return {
    offset,
    asOf: { seqno: offset, time: 10 * offset },
    digest: offset.toString(16).padStart(64, '0'),
    edits: 0,
    tally: { [`seen ${offset}`]: { count: offset, example: 'é' } },
  };
}

/** A batch of partition 0 that moves its checkpoint from `from` to `to`. */
export function batchOf(from: number, to: number, documents: StoredDocument[]): CommitBatch {
  return { partition: 0, base: { offset: from, edits: 0 }, checkpoint: checkpointAt(to), documents };
}

export function parsed(items: Buffer[]): unknown[] {
  return items.map((item) => JSON.parse(item.toString()) as unknown);
}
