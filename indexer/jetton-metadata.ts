import { setTimeout as pause } from 'node:timers/promises';
import { Cell } from '@ton/core';
import { changeContent } from '../shared/contracts/governance/change-content.ts';
import { loadJettonContent } from '../shared/contracts/jetton/content.ts';
import { loadMinterStorage } from '../shared/contracts/jetton/minter-storage.ts';
import type { StateChange } from '../shared/event-log/event-log.ts';
import type { AccountRecord, JettonMetadataRecord, TransactionRecord } from '../shared/event-log/record.ts';
import type { Session } from './session.ts';
import { type MetadataEntry, metadataChange, type TrackedAccounts } from './tracked-accounts.ts';

/** Attempts for one URI; 1, 2, 4 and 8 times `retryMs` lie between them. */
const MAX_ATTEMPTS = 5;

/** The state entry that asks for a minter's off-chain metadata, where a record names a new URI. */
export function metadataWanted(
  tracked: TrackedAccounts,
  record: AccountRecord | TransactionRecord,
): StateChange[] {
  if (record.kind !== 'gp_minter' && record.kind !== 'lp_minter') return [];
  const uri = record.type === 'account' ? uriInStorage(record.data) : uriInMessage(record);
  if (uri === null) return [];
  const change = metadataChange(record.dao, record.account, { uri, attempts: 0, done: false });
  return tracked.metadata.get(change.key)?.uri === uri ? [] : [change];
}

/** Fetches what is wanted, beside everything else, until the session ends. */
export async function fetchWantedMetadata(session: Session): Promise<void> {
  const { tracked, signal, limits } = session;
  const notBefore = new Map<string, number>();
  while (!signal.aborted) {
    for (const [key, entry] of tracked.metadata) {
      if (entry.done || signal.aborted || session.clock() < (notBefore.get(key) ?? 0)) continue;
      const tried = await fetchOne(session, entry);
      notBefore.set(key, session.clock() + limits.retryMs * 2 ** (tried.attempts - 1));
    }
    await pause(Math.max(limits.pollMs, 1), undefined, { signal }).catch(() => undefined);
  }
}

async function fetchOne(
  session: Session,
  { dao, minter, uri, attempts }: { dao: string; minter: string } & MetadataEntry,
): Promise<MetadataEntry> {
  const { logger, log, signal, tracked } = session;
  const tried: MetadataEntry = { uri, attempts: attempts + 1, done: false };
  let metadata: Record<string, unknown> | null = null;
  try {
    metadata = await session.fetchMetadata(uri, signal);
  } catch (error) {
    signal.throwIfAborted();
    logger.warn(
      { dao, minter, uri, attempt: tried.attempts, of: MAX_ATTEMPTS, err: error },
      'no jetton metadata',
    );
  }
  tried.done = metadata !== null || tried.attempts >= MAX_ATTEMPTS;
  const entry = metadataChange(dao, minter, tried);
  await log.appendIf(() => {
    // The DAO may have left, or the content changed, while the answer was on its way.
    const kind = tracked.of(dao).get(minter)?.kind;
    if (tracked.metadata.get(entry.key)?.uri !== uri || tracked.daos.get(dao)?.leaving || !kind) return null;
    const records: JettonMetadataRecord[] = metadata
      ? [{ version: 1, type: 'jetton_metadata', kind, dao, account: minter, uri, metadata }]
      : [];
    return { records, state: [entry] };
  });
  return tried;
}

function uriInStorage(data: string | null): string | null {
  return data === null
    ? null
    : attempt(() => loadJettonContent(loadMinterStorage(Cell.fromBase64(data).beginParse()).content).uri);
}

function uriInMessage({ success, in: message }: TransactionRecord): string | null {
  if (!success || message?.opcode !== changeContent.opcode || message.bounced) return null;
  return attempt(
    () =>
      loadJettonContent(changeContent.load(Cell.fromBase64(message.body).beginParse().skip(32)).content).uri,
  );
}

/** Whatever a stranger put in a cell must not stop the indexer. */
function attempt(read: () => string | null): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
