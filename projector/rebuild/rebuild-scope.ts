import { InvalidInputError } from '../../shared/errors.ts';
import { partitionOf } from '../../shared/event-log/partition.ts';
import type { Generation, ReadStore } from '../../shared/read-store/read-store.ts';
import { projectionsVersion, sameFolds } from '../generations.ts';

/** What is folded from the log where not all is; the rest is copied from the live generation. */
export interface RebuildScope {
  /** Raw addresses. */
  daos: string[];
  partitions: number[];
}

/** Where the documents of a DAO come from. */
export class Sources {
  private readonly scope: RebuildScope | undefined;
  private readonly partitions: number;

  constructor(scope: RebuildScope | undefined, partitions: number) {
    const unknown = scope?.partitions.find((partition) => !(partition < partitions));
    if (unknown !== undefined)
      throw new InvalidInputError(
        'PARTITION_UNKNOWN',
        `The log has no partition ${unknown}: its partitions are 0 to ${partitions - 1}`,
      );
    this.scope = scope;
    this.partitions = partitions;
  }

  /** Whether the DAO's documents are copied instead of folded. */
  copied(dao: string): boolean {
    if (!this.scope || this.scope.daos.includes(dao)) return false;
    return !this.scope.partitions.includes(partitionOf(dao, this.partitions));
  }

  /** Partitions in which a document may be copied. */
  get copiedPartitions(): number[] {
    const { scope } = this;
    const all = Array.from({ length: this.partitions }, (_, partition) => partition);
    return scope ? all.filter((partition) => !scope.partitions.includes(partition)) : [];
  }

  /** The DAOs of the partition that alone are folded; undefined for all of them. */
  foldedDaos(partition: number): string[] | undefined {
    if (!this.copiedPartitions.includes(partition)) return undefined;
    return this.scope?.daos.filter((dao) => partitionOf(dao, this.partitions) === partition);
  }
}

/** The live generation, where what it was folded by allows for documents of it beside our own. */
export async function generationToCopy(store: ReadStore, partitions: number): Promise<Generation> {
  const live = (await store.generations()).find((each) => each.live);
  if (!live) throw rebuildAll('there is no live generation that the rest could be copied from');
  if (!sameFolds(live.projections, projectionsVersion()))
    throw rebuildAll(`the live generation ${live.id} was folded by other projections than this program's`);
  if (live.partitions !== partitions)
    throw rebuildAll(`the live generation ${live.id} was folded from ${live.partitions} partitions`);
  return live;
}

function rebuildAll(reason: string): InvalidInputError {
  return new InvalidInputError(
    'REBUILD_ALL',
    `A part cannot be rebuilt alone, because ${reason}: run \`rebuild\` without --dao and --partitions`,
  );
}
