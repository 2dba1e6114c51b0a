import type { ReadStore } from '../../../shared/read-store/read-store.ts';
import { batchOf, documentOf, entry } from '../documents.ts';

/** Commits batch after batch from the checkpoint on, and prints the offset of each that is durable. */
const [module = '', at = '', generation = ''] = process.argv.slice(2);
const { open }: { open: (at: string) => Promise<ReadStore> } = await import(module);
const writer = await (await open(at)).openWriter(generation);
for (let { offset } = await writer.checkpoint(0); ; offset++) {
  const documents = Array.from({ length: 40 }, (_, i) =>
    documentOf(`d${i}`, offset + 1, [entry('all', String((i * (offset + 7)) % 41).padStart(3, '0') + i)]),
  );
  await writer.commit(batchOf(offset, offset + 1, documents));
  console.log(offset + 1);
  await new Promise((resolve) => setImmediate(resolve));
}
