import { setTimeout as pause } from 'node:timers/promises';
import type {
  Checkpoint,
  DocumentKey,
  Generation,
  GenerationWriter,
  ReadStore,
} from '../shared/read-store/read-store.ts';
import { ACCOUNTS } from './account-draft.ts';
import { DEAD_LETTERS } from './dead-letters.ts';
import { changedFields, type DocumentPair, differs, type FieldChange, pairsOf } from './diff-documents.ts';
import { projections } from './projections/projections.ts';

/** What readers would see of the new generation that they do not see of the old one. */
export interface Diff {
  same: boolean;
  old: Side;
  new: Side;
  /** Of each read model in which something differs, by its name. */
  models: ModelDiff[];
}

interface Side {
  id: string;
  projections: string;
  /** Offset of the next record to fold, by partition. */
  checkpoints: number[];
  /** Records that the other generation has folded and this one has not. */
  behind: number;
}

export interface ModelDiff {
  model: string;
  added: number;
  removed: number;
  changed: number;
  examples: Example[];
}

export interface Example {
  change: 'added' | 'removed' | 'changed';
  key: string;
  /** Of a changed document what differs, of another its body's fields. */
  fields: FieldChange[];
}

export interface DiffOptions {
  /** Examples of each change in each read model. */
  examples?: number;
  /** Between two looks at documents that may differ only because one generation is a step behind. */
  pauseMs?: number;
}

/** Not for readers of the API. */
const HIDDEN = new Set([
  ACCOUNTS,
  DEAD_LETTERS,
  ...projections.filter(({ internal }) => internal).map(({ name }) => name),
]);

/** So many documents are looked at again; where more differ, it is not for a step of delay. */
const MOST_SUSPECTS = 10_000;
const LOOKS = 40;
/** Looks at two sides that stand still at different places: a batch may take a while. */
const PATIENCE = 8;
const LOADED = 500;

/**
 * Compares what two generations show, document by document. Both may be folded into meanwhile: a
 * document counts as different where it is so whenever it is looked at, unless both stand still.
 */
export async function diffGenerations(
  store: ReadStore,
  old: Generation,
  young: Generation,
  { examples = 3, pauseMs = 250 }: DiffOptions = {},
): Promise<Diff> {
  const sides: Sides = [
    { generation: old, writer: await store.openWriter(old.id) },
    { generation: young, writer: await store.openWriter(young.id) },
  ];
  try {
    const found = new Findings(examples);
    let suspects: DocumentKey[] = [];
    for await (const pair of pairsOf(sides[0].writer.documents(), sides[1].writer.documents())) {
      if (HIDDEN.has(pair.model) || !differs(pair)) continue;
      if (suspects.length < MOST_SUSPECTS) suspects.push({ model: pair.model, key: pair.key });
      else found.add(pair);
    }
    await settle(sides, pauseMs, async () => {
      suspects = await stillDifferent(sides, suspects);
      return suspects.length === 0;
    });
    for await (const pair of loadPairs(sides, suspects)) if (differs(pair)) found.add(pair);
    return describe(sides, await checkpointsOf(sides), found.models());
  } finally {
    for (const { writer } of sides) await writer.close();
  }
}

type Sides = [OpenSide, OpenSide];

interface OpenSide {
  generation: Generation;
  writer: GenerationWriter;
}

/** Counts by read model, with the first examples of each change. */
class Findings {
  private readonly byModel = new Map<string, ModelDiff>();
  private readonly examples: number;

  constructor(examples: number) {
    this.examples = examples;
  }

  add(pair: DocumentPair): void {
    const { model, key } = pair;
    const found = this.byModel.get(model) ?? { model, added: 0, removed: 0, changed: 0, examples: [] };
    const change = !pair.old?.body ? 'added' : !pair.new?.body ? 'removed' : 'changed';
    found[change]++;
    if (found[change] <= this.examples) found.examples.push({ change, key, fields: changedFields(pair) });
    this.byModel.set(model, found);
  }

  models(): ModelDiff[] {
    return [...this.byModel.values()].sort((a, b) => (a.model < b.model ? -1 : 1));
  }
}

/**
 * Looks until there is nothing left to look at, both sides stand still at one place, or patience ends:
 * sooner where nothing moves at all than where one catches up.
 */
async function settle(sides: Sides, pauseMs: number, look: () => Promise<boolean>): Promise<void> {
  let before = await checkpointsOf(sides);
  for (let looks = 1, still = 0; looks <= LOOKS && !(await look()); looks++) {
    await pause(pauseMs);
    const after = await checkpointsOf(sides);
    still = same(before, after) ? still + 1 : 0;
    if (still === PATIENCE || (still > 0 && offsetsOf(after[0]) === offsetsOf(after[1]))) return;
    before = after;
  }
}

async function stillDifferent(sides: Sides, keys: DocumentKey[]): Promise<DocumentKey[]> {
  const different: DocumentKey[] = [];
  for await (const pair of loadPairs(sides, keys))
    if (differs(pair)) different.push({ model: pair.model, key: pair.key });
  return different;
}

async function* loadPairs([old, young]: Sides, keys: DocumentKey[]): AsyncGenerator<DocumentPair> {
  for (let from = 0; from < keys.length; from += LOADED) {
    const some = keys.slice(from, from + LOADED);
    const [before, after] = await Promise.all([old.writer.load(some), young.writer.load(some)]);
    for (const [index, key] of some.entries()) yield { ...key, old: before[index], new: after[index] };
  }
}

/** Of each side, by partition. */
type Places = Pick<Checkpoint, 'offset' | 'edits'>[][];

function checkpointsOf(sides: Sides): Promise<Places> {
  return Promise.all(
    sides.map(({ generation, writer }) =>
      Promise.all(
        Array.from({ length: generation.partitions }, async (_, partition) => {
          const { offset, edits } = await writer.checkpoint(partition);
          return { offset, edits };
        }),
      ),
    ),
  );
}

function same(a: Places, b: Places): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function offsetsOf(places: Places[number] = []): string {
  return places.map(({ offset }) => offset).join();
}

function describe([old, young]: Sides, [before = [], after = []]: Places, models: ModelDiff[]): Diff {
  const side = ({ generation }: OpenSide, own: typeof before, other: typeof before): Side => ({
    id: generation.id,
    projections: generation.projections,
    checkpoints: own.map(({ offset }) => offset),
    behind: other.reduce((sum, { offset }, at) => sum + Math.max(0, offset - (own[at]?.offset ?? 0)), 0),
  });
  return {
    same: models.length === 0,
    old: side(old, before, after),
    new: side(young, after, before),
    models,
  };
}
