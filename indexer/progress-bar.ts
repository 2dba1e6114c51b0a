import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import type { BackfillProgress } from './backfill.ts';

/** Shows each backfill as a bar on a terminal; where standard error is none, nothing. */
export function showProgress(): (progress: BackfillProgress) => void {
  if (!process.stderr.isTTY) return () => undefined;
  let bars: MultiBar | null = null;
  const byDao = new Map<string, SingleBar>();
  return ({ dao, accounts, transactions, rate, eta, ended }) => {
    bars ??= new MultiBar(
      {
        stream: process.stderr,
        format: '{dao} [{bar}] {value}/{total} transactions, {accounts} accounts, {rate}/s, {left}',
        clearOnComplete: false,
        hideCursor: true,
      },
      Presets.shades_grey,
    );
    const shown = {
      dao: `${dao.slice(0, 8)}...${dao.slice(-4)}`,
      accounts: `${accounts.done}/${accounts.known}`,
      rate: Math.round(rate),
      left: ended ? 'done' : eta === null ? 'starting' : `${Math.ceil(eta)} s left`,
    };
    const bar = byDao.get(dao) ?? bars.create(0, 0, shown);
    byDao.set(dao, bar);
    bar.setTotal(Math.max(transactions.known, 1));
    bar.update(transactions.done, shown);
    if (!ended) return;
    byDao.delete(dao);
    if (byDao.size === 0) {
      bars.stop();
      bars = null;
    }
  };
}
