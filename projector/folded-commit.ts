import type { LogBatch } from '../shared/event-log/event-log.ts';
import type { Checkpoint, CommitBatch } from '../shared/read-store/read-store.ts';
import { addDigests } from './digest.ts';
import type { FoldedBatch } from './fold-batch.ts';
import { tallied } from './unknown.ts';

/** What a batch, folded from a checkpoint on, is to make of it and of the documents. */
export function foldedCommit(
  checkpoint: Checkpoint,
  { partition, from, to, asOf }: Omit<LogBatch, 'records'>,
  folded: FoldedBatch,
): CommitBatch {
  return {
    partition,
    base: { offset: from, edits: checkpoint.edits },
    checkpoint: {
      ...checkpoint,
      offset: to,
      asOf: asOf ?? checkpoint.asOf,
      digest: addDigests(checkpoint.digest, folded.digest),
      tally: tallied(checkpoint.tally, folded.unknown),
    },
    documents: folded.documents,
  };
}
