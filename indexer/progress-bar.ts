import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import type { BackfillProgress } from './backfill.ts';

/**
 * Shows backfills as bars on standard error, one a DAO: transactions known and in the log, rate and
 * time left. Without a terminal cli-progress would print nothing, so a line a tenth is printed then.
 */
export function showProgress(
  print: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): (progress: BackfillProgress) => void {
  return process.stderr.isTTY ? showBars() : showLines(print);
}

function showBars(): (progress: BackfillProgress) => void {
  const bars = new MultiBar(
    {
      format: '{dao} [{bar}] {value}/{total} transactions of {accounts} accounts, {rate}/s, {left} left',
      stream: process.stderr,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  const shown = new Map<string, SingleBar>();
  return (progress) => {
    const { dao, transactions, accounts, rate, eta } = progress;
    const payload = {
      dao: short(dao),
      accounts: accounts.known,
      rate: Math.round(rate),
      left: eta === null ? 'some time' : `${Math.ceil(eta)} s`,
    };
    const bar = shown.get(dao) ?? bars.create(transactions.known, 0, payload);
    shown.set(dao, bar);
    bar.setTotal(transactions.known);
    bar.update(transactions.done, payload);
    if (!isDone(progress)) return;
    shown.delete(dao);
    if (shown.size === 0) bars.stop();
  };
}

function showLines(print: (line: string) => void): (progress: BackfillProgress) => void {
  const tenths = new Map<string, number>();
  return ({ dao, transactions, accounts, rate }) => {
    const tenth = transactions.known === 0 ? 0 : Math.floor((10 * transactions.done) / transactions.known);
    if (tenth <= (tenths.get(dao) ?? 0)) return;
    tenths.set(dao, tenth);
    const { done, known } = transactions;
    print(`${short(dao)} ${done}/${known} transactions of ${accounts.known} accounts, ${Math.round(rate)}/s`);
  };
}

function isDone({ transactions }: BackfillProgress): boolean {
  return transactions.known > 0 && transactions.done === transactions.known;
}

function short(dao: string): string {
  return `${dao.slice(0, 8)}…${dao.slice(-4)}`;
}
