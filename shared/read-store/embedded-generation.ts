import {
  keyBytes,
  LmdbEnvironment,
  type ReadOptions,
  type Table,
  uint32Key,
} from '../embedded/lmdb-environment.ts';
import type { AsOf } from '../event-log/event-log.ts';
import { type DocumentImage, decodeDocument } from './embedded-document.ts';
import type { ListRoot, ReadNode } from './list-read.ts';
import type { NodeTable } from './list-write.ts';
import type { Checkpoint, DocumentKey } from './read-store.ts';

const COMMITS = Buffer.from('commits');
const LISTS = Buffer.from('lists');
const ROOT_BYTES = 40;
const NO_CHECKPOINT: Checkpoint = { offset: 0, asOf: null, digest: '0'.repeat(64), edits: 0, tally: {} };
const SCANNED = 1000;
/** A node of a list fits one page: LMDB searches long for two free ones that are neighbours. */
const PAGE_BYTES = 8 * 1024;

/** The tables of one generation, in an LMDB environment of its own. */
export class GenerationTables {
  readonly env: LmdbEnvironment;
  /** Document key -> its image. */
  readonly documents: Table;
  private readonly checkpoints: Table;
  /** Name of a list -> the root of its tree. */
  private readonly lists: Table;
  /** [list, node] -> the node. */
  private readonly nodes: Table;
  private readonly meta: Table;
  /** By partition, the as-of of a checkpoint and the bytes that it was read from. */
  private readonly parsed = new Map<number, { stored: Buffer; asOf: AsOf | null }>();

  constructor(path: string) {
    this.env = new LmdbEnvironment(path, PAGE_BYTES);
    this.documents = this.env.table('documents');
    this.checkpoints = this.env.table('checkpoints');
    this.lists = this.env.table('lists');
    this.nodes = this.env.table('nodes');
    this.meta = this.env.table('meta');
  }

  checkpoint(partition: number, options?: ReadOptions): Checkpoint {
    const stored = this.checkpoints.get(uint32Key(partition), options);
    return stored === undefined ? NO_CHECKPOINT : JSON.parse(stored.toString());
  }

  /** Every answer tells it: parsed anew only where the checkpoint has moved. */
  asOf(partition: number, options: ReadOptions): AsOf | null {
    const stored = this.checkpoints.get(uint32Key(partition), options);
    if (stored === undefined) return NO_CHECKPOINT.asOf;
    const known = this.parsed.get(partition);
    if (known?.stored.equals(stored)) return known.asOf;
    const { asOf }: Checkpoint = JSON.parse(stored.toString());
    this.parsed.set(partition, { stored, asOf: Object.freeze(asOf) });
    return asOf;
  }

  putCheckpoint(partition: number, { offset, asOf, digest, edits, tally, building }: Checkpoint): void {
    const stored = JSON.stringify({ offset, asOf, digest, edits, tally, building });
    this.checkpoints.put(uint32Key(partition), Buffer.from(stored));
  }

  /** Some documents after a key, in order; those of one read model where `model` is given. */
  documentsAfter(after: Buffer | undefined, model: string | undefined): { key: Buffer; value: Buffer }[] {
    const bounds = model === undefined ? {} : { start: modelKey(model, 0), end: modelKey(model, 1) };
    const from = after === undefined ? {} : { start: after, exclusiveStart: true };
    return this.env.read((options) =>
      this.documents.range({ ...options, ...bounds, ...from, limit: SCANNED }),
    );
  }

  document(key: Buffer, options?: ReadOptions): DocumentImage | undefined {
    const stored = this.documents.get(key, options);
    return stored && decodeDocument(stored);
  }

  list(key: Buffer, options?: ReadOptions): ListRoot | undefined {
    const stored = this.lists.peek(key, options);
    if (stored === undefined) return undefined;
    const [id, total, version, root, nextNode] = [0, 8, 16, 24, 32].map((at) => stored.readDoubleLE(at));
    return {
      id: id ?? 0,
      total: total ?? 0,
      version: version ?? 0,
      root: total === 0 ? undefined : root,
      nextNode: nextNode ?? 0,
    };
  }

  putList(key: Buffer, { id, total, version, root, nextNode }: ListRoot): void {
    const stored = Buffer.allocUnsafe(ROOT_BYTES);
    for (const [i, value] of [id, total, version, root ?? 0, nextNode].entries())
      stored.writeDoubleLE(value, 8 * i);
    this.lists.put(key, stored);
  }

  /** Reads nodes of a list, each good until the next read. */
  nodeReader(list: number, options?: ReadOptions): ReadNode {
    return (id) => {
      const stored = this.nodes.peek(nodeKey(list, id), options);
      if (stored === undefined) throw new Error(`The tree of list ${list} lacks its node ${id}`);
      return stored;
    };
  }

  /** Reads and writes nodes of a list inside a write transaction. */
  nodeTable(list: number): NodeTable {
    return {
      read: (id) => {
        const stored = this.nodes.get(nodeKey(list, id));
        if (stored === undefined) throw new Error(`The tree of list ${list} lacks its node ${id}`);
        return stored;
      },
      write: (id, bytes) => this.nodes.put(nodeKey(list, id), bytes),
      remove: (id) => this.nodes.remove(nodeKey(list, id)),
    };
  }

  /** A number that no commit had before, inside a write transaction; versions are made of it. */
  nextCommit(): number {
    return this.next(COMMITS);
  }

  nextListId(): number {
    return this.next(LISTS);
  }

  private next(counter: Buffer): number {
    const value = Number(this.meta.get(counter)?.toString() ?? '0') + 1;
    this.meta.put(counter, Buffer.from(String(value)));
    return value;
  }
}

export function documentKey({ model, key }: DocumentKey): Buffer {
  return keyBytes('document key', `${model}\0${key}`);
}

/** What a stored document key names. */
export function documentKeyOf(stored: Buffer): DocumentKey {
  const [model, key] = splitOnce(stored.toString(), '\0');
  return { model, key };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Where the keys of a read model begin (`after` 0) or have ended (1). */
function modelKey(model: string, after: 0 | 1): Buffer {
  return Buffer.concat([Buffer.from(model), Buffer.from([after])]);
}

export function listKey(list: string): Buffer {
  return keyBytes('list name', list);
}

function nodeKey(list: number, id: number): Buffer {
  const key = Buffer.allocUnsafe(12);
  key.writeUIntBE(list, 0, 6);
  key.writeUIntBE(id, 6, 6);
  return key;
}
