import { useNativeSha256 } from '../../shared/chain/native-sha256.ts';
import { IndexerError } from '../../shared/errors.ts';
import * as deal from './deal-out.ts';
import * as fold from './fold-shard.ts';
import * as write from './write-partition.ts';

// What the threads of a rebuild do, by name; see RebuildThreads.
useNativeSha256();

export const dealOut = told(deal.dealOut);
export const foldShard = told(fold.foldShard);
export const writePartition = told(write.writePartition);

/** What came of a task. Of an error that is thrown no more than the message would arrive. */
export type Told<R> = { done: R } | { failed: { name: string; code: string; message: string } };

function told<T, R>(perform: (task: T) => Promise<R>): (task: T) => Promise<Told<R>> {
  return async (task) => {
    try {
      return { done: await perform(task) };
    } catch (error) {
      if (!(error instanceof IndexerError)) throw error;
      const { name, code, message } = error;
      return { failed: { name, code, message } };
    }
  };
}
