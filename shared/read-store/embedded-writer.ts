import { generationDropped } from './catalogue.ts';
import type { EmbeddedCatalogue } from './embedded-catalogue.ts';
import { commitBatch } from './embedded-commit.ts';
import { type DocumentImage, decodeDocument } from './embedded-document.ts';
import { documentKey, documentKeyOf, type GenerationTables } from './embedded-generation.ts';
import type { OpenGenerations } from './embedded-open-generations.ts';
import type { Checkpoint, CommitBatch, DocumentKey, GenerationWriter, StoredDocument } from './read-store.ts';

export class EmbeddedGenerationWriter implements GenerationWriter {
  private readonly catalogue: EmbeddedCatalogue;
  private readonly open: OpenGenerations;
  private readonly id: string;

  constructor(catalogue: EmbeddedCatalogue, open: OpenGenerations, id: string) {
    this.catalogue = catalogue;
    this.open = open;
    this.id = id;
  }

  checkpoint(partition: number): Promise<Checkpoint> {
    return this.use((tables) => tables.env.read((options) => tables.checkpoint(partition, options)));
  }

  load(keys: DocumentKey[]): Promise<(StoredDocument | undefined)[]> {
    return this.use((tables) =>
      tables.env.read((options) =>
        keys.map(({ model, key }) => {
          const image = tables.document(documentKey({ model, key }), options);
          if (image === undefined) return undefined;
          return storedDocument({ model, key }, image);
        }),
      ),
    );
  }

  commit(batch: CommitBatch): Promise<'committed' | 'conflict'> {
    return this.use((tables) => commitBatch(tables, batch));
  }

  async *documents(model?: string): AsyncIterable<StoredDocument> {
    let after: Buffer | undefined;
    for (;;) {
      const rows = await this.use((tables) => tables.documentsAfter(after, model));
      for (const { key, value } of rows) yield storedDocument(documentKeyOf(key), decodeDocument(value));
      after = rows.at(-1)?.key;
      if (after === undefined) return;
    }
  }

  async close(): Promise<void> {
    // The environment stays open for readers until the store is closed or the generation dropped.
  }

  /** Looks into the catalogue each time: what is folded into the files of a dropped generation would be lost in silence. */
  private use<T>(action: (tables: GenerationTables) => T): Promise<T> {
    const generations = this.catalogue.generations();
    if (!generations.some(({ id }) => id === this.id)) return Promise.reject(generationDropped(this.id));
    return this.open.use(generations, this.id, async (tables) => action(tables));
  }
}

function storedDocument({ model, key }: DocumentKey, image: DocumentImage): StoredDocument {
  const { dao, body, state, entries, offset } = image;
  return { model, key, dao, body, state, entries, offset };
}
