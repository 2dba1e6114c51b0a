import type { CommitBatch, StoredDocument } from '../../../shared/read-store/read-store.ts';
import { bareDatabase, ownDatabase, ownStore, writeBare } from '../mongo.ts';
import { mediansOfRounds, type Sample } from '../rounds.ts';
import type { Row, Size } from '../row.ts';

const ROUNDS = 5;
const DOCUMENTS: Record<Size, [stored: number, batch: number]> = { small: [1000, 200], full: [5000, 1000] };
const DAO = `0:${'d'.repeat(64)}`;

export const mongoCommit: Row = {
  name: 'mongo-commit',
  ours: 'committing documents to MongoDB that move in their list',
  reference: 'the driver: a bulk of the same documents, without the list',
  unit: 'documents a second by the clock',
  // Each is written twice, as an image of the batch and to its row, and so are the nodes of the list.
  goal: { atLeast: 0.3 },
  async measure(size) {
    const [stored, batch] = DOCUMENTS[size];
    const settings = await ownDatabase('commits');
    const [db, store] = [await bareDatabase(settings), await ownStore(settings)];
    const { id } = await store.create('bench', 1);
    const writer = await store.openWriter(id);
    const ours = rounds(stored, batch, async (commit) => {
      if ((await writer.commit(commit)) !== 'committed') throw new Error('the commit met another one');
    });
    const reference = rounds(stored, batch, (commit) => writeBare(db, 'bare', commit));
    await ours();
    await reference();
    const rates = await mediansOfRounds(ROUNDS, ours, reference);
    return { ...rates, note: `${batch} of ${stored} at once` };
  },
};

/** The first call writes all of them; every further one others of them anew. */
function rounds(stored: number, batch: number, commit: (batch: CommitBatch) => Promise<void>): Sample {
  let offset = 0;
  return async () => {
    const turn = offset;
    const count = turn === 0 ? stored : batch;
    const documents = Array.from({ length: count }, (_, i) => holder((turn * batch + i * 7) % stored, turn));
    const base = { offset, edits: 0 };
    offset++;
    const checkpoint = { offset, asOf: null, digest: '0'.repeat(64), edits: 0, tally: {} };
    const start = performance.now();
    await commit({ partition: 0, base, checkpoint, documents });
    return (count * 1000) / (performance.now() - start);
  };
}

function holder(n: number, turn: number): StoredDocument {
  const owner = `0:${n.toString(16).padStart(64, '0')}`;
  const balance = String(((n + 1) * 2654435761 * (turn + 1)) % 1e15);
  return {
    model: 'holders',
    key: `${DAO}/${owner}`,
    dao: DAO,
    body: Buffer.from(JSON.stringify({ jetton_wallet_address: owner, owner_address: owner, balance })),
    state: Buffer.from(JSON.stringify({ balance })),
    entries: [{ list: 'holders', sortKey: `${balance.padStart(20, '0')}/${owner}` }],
    offset: turn,
  };
}
