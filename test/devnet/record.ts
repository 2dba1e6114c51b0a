import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Chain } from './chain/chain.ts';
import { type BlockCommit, ChainStore } from './chain/chain-store.ts';
import { type Recording, recordingFile, writeRecording } from './story/recording.ts';
import { DEFAULT_SEED, playStory } from './story/story.ts';

/** Plays the story on a chain of its own and keeps what each block wrote. */
export async function recordStory(seed: string): Promise<Recording> {
  const folder = await mkdtemp(join(tmpdir(), 'devnet-record-'));
  const store = new ChainStore(folder);
  try {
    const commits: BlockCommit[] = [];
    const chain = await Chain.open(store);
    chain.onCommit = (commit) => commits.push(commit);
    const facts = await playStory(chain, store, seed);
    return { commits, facts };
  } finally {
    await store.close();
    await rm(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeRecording(recordingFile, await recordStory(DEFAULT_SEED));
}
