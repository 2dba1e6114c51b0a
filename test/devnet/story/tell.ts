import { existsSync } from 'node:fs';
import { Chain } from '../chain/chain.ts';
import type { ChainStore } from '../chain/chain-store.ts';
import type { StoryFacts } from './facts.ts';
import { readRecording, recordingFile } from './recording.ts';
import { DEFAULT_SEED, playStory } from './story.ts';

/** Sees to it that the story is in the store: it is there already, or recorded, or is played now. */
export async function tellStory(store: ChainStore, seed = DEFAULT_SEED): Promise<StoryFacts> {
  const told = store.meta('story');
  if (told) {
    if (told.seed !== seed) {
      throw new Error(
        `this folder holds the story "${told.seed}", not "${seed}": give the other one its own`,
      );
    }
    return told;
  }
  // What a process that was killed while it played left behind is of no use.
  store.clear();
  if (seed === DEFAULT_SEED && existsSync(recordingFile)) {
    const { commits, facts } = await readRecording(recordingFile);
    store.commit(commits, { story: facts, storyHead: commits.length });
    return facts;
  }
  const chain = await Chain.open(store);
  const facts = await playStory(chain, store, seed);
  store.setMeta({ story: facts, storyHead: chain.head?.master.seqno ?? 0 });
  return facts;
}
