import { setTimeout as pause } from 'node:timers/promises';
import { readStatus } from '../../projector/status.ts';
import { readConfig } from '../../shared/config.ts';
import { withStores } from '../../shared/stores.ts';
import { indexStory } from './harness.ts';

let undisturbed: Promise<string> | undefined;

/** The digest of the story indexed and projected on the embedded stores without a fault; found once a process. */
export function undisturbedDigest(): Promise<string> {
  undisturbed ??= runUndisturbed();
  return undisturbed;
}

async function runUndisturbed(): Promise<string> {
  const story = await indexStory();
  try {
    await story.caughtUp();
    return digestOf(await readStatus(story.stores.log, story.stores.store));
  } finally {
    await story.close();
  }
}

/** Looks on from outside until the digest is there, or until nothing has moved for long. */
export function untilDigest(settings: Record<string, string>, wanted: string): Promise<string> {
  return withStores(readConfig(settings), async ({ log, store }) => {
    let last = '';
    for (let still = 0; still < 300; still++) {
      const digest = digestOf(await readStatus(log, store));
      if (digest === wanted) return digest;
      if (digest !== last) still = 0;
      last = digest;
      await pause(100);
    }
    return last;
  });
}

function digestOf({ generations }: Awaited<ReturnType<typeof readStatus>>): string {
  return generations[0]?.digest ?? '';
}
