import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedReadStore } from '../../shared/read-store/embedded.ts';
import type { StoredDocument } from '../../shared/read-store/read-store.ts';

/**
 * The embedded lists at scale: `npx tsx test/bench/lists.ts [entries]` fills a list of holders by
 * balance, then measures its first, middle and last page in interleaved rounds, and batches of 1000
 * documents at random places.
 */
const entries = Number(process.argv[2] ?? 1_000_000);
const dir = mkdtempSync(join(tmpdir(), 'lists-'));
const store = await openEmbeddedReadStore(dir);
const { id } = await store.create('bench', 1);
const writer = await store.openWriter(id);
let offset = 0;

function holder(n: number): StoredDocument {
  const owner = `0:${(n * 2654435761).toString(16).padStart(64, 'a')}`;
  const balance = Math.floor(Math.random() * 1e15);
  return {
    model: 'holder',
    key: owner,
    dao: owner,
    body: Buffer.from(
      JSON.stringify({ owner_address: owner, balance: `${balance}`, wallet_address: owner, rank: n }),
    ),
    state: Buffer.from(JSON.stringify({ balance: `${balance}` })),
    entries: [{ list: 'holders', sortKey: `${(1e16 - balance).toString().padStart(20, '0')}/${owner}` }],
    offset,
  };
}

async function commit(documents: StoredDocument[]): Promise<void> {
  const checkpoint = {
    offset: offset + documents.length,
    asOf: null,
    digest: '0'.repeat(64),
    edits: 0,
    tally: {},
  };
  await writer.commit({ partition: 0, base: { offset, edits: 0 }, checkpoint, documents });
  offset += documents.length;
}

/** Microseconds of each run, in the middle of `rounds` rounds. */
async function median(rounds: number, runs: number, actions: (() => Promise<unknown>)[]): Promise<number[]> {
  const times = actions.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, action] of actions.entries()) {
      const start = performance.now();
      for (let run = 0; run < runs; run++) await action();
      times[i]?.push(((performance.now() - start) * 1000) / runs);
    }
  }
  return times.map((each) => each.toSorted((a, b) => a - b)[rounds >> 1] ?? 0);
}

function page(from: number): () => Promise<unknown> {
  return () => store.view((view) => view.page('holders', from, 100));
}

const start = performance.now();
for (let n = 0; n < entries; n += 10_000) {
  await commit(Array.from({ length: Math.min(10_000, entries - n) }, (_, i) => holder(n + i)));
}
const filled = (performance.now() - start) / 1000;
const pages = await median(21, 500, [page(0), page(entries / 2), page(entries - 100)]);
const { key } = holder(5);
const [one] = await median(21, 2000, [() => store.view((view) => view.get('holder', key))]);
const batches = await median(15, 1, [
  () => commit(Array.from({ length: 1000 }, (_, i) => holder((offset + i * 7919) % entries))),
]);
const [first = 0, middle = 0, last = 0] = pages;
console.log(`${cpus()[0]?.model}, Node ${process.version}, ${entries} entries`);
console.table({
  'filled, random order': `${Math.round(entries / filled)} documents/s`,
  'first page of 100': `${first.toFixed(1)} us`,
  'middle page': `${middle.toFixed(1)} us`,
  'last page': `${last.toFixed(1)} us, ${(last / first).toFixed(2)} of the first`,
  'one document': `${(one ?? 0).toFixed(1)} us`,
  '1000 documents move': `${((batches[0] ?? 0) / 1000).toFixed(1)} ms`,
  'peak memory': `${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
});
await store.close();
rmSync(dir, { recursive: true });
