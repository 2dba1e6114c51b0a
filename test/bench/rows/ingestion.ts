import { Child } from '../child.ts';
import type { ServedChain } from '../processes/chain-server.ts';
import type { Ingested, IngesterTask } from '../processes/ingester.ts';
import { mediansOfRounds } from '../rounds.ts';
import type { Row, Size } from '../row.ts';

const ROUNDS = 3;
const TRANSACTIONS: Record<Size, number> = { small: 2000, full: 10_000 };

interface Parsed {
  transactions: number;
  cpuMicroseconds: number;
}

export const ingestion: Row = {
  name: 'ingestion',
  ours: 'ingestion: fetch, verify, append',
  reference: '@ton/core parsing the same alone',
  unit: 'transactions per CPU second',
  goal: { atLeast: 0.8 },
  async measure(size) {
    const server = Child.start('processes/chain-server.ts', { transactions: TRANSACTIONS[size] });
    const { dao, bags } = await server.hear<ServedChain>();
    const task: IngesterTask = { port: await server.hear<number>(), dao };
    const [ingester, parser] = [
      Child.start('processes/ingester.ts', task),
      Child.start('processes/parser.ts', bags),
    ];
    const [, { transactions }] = [await ingester.hear<Ingested>(), await parser.hear<Parsed>()];
    const rate = (cpuMicroseconds: number) => (transactions * 1e6) / cpuMicroseconds;
    const rates = await mediansOfRounds(
      ROUNDS,
      async () => rate((await ingester.ask<Ingested>(task)).cpuMicroseconds),
      async () => rate((await parser.ask<Parsed>('parse')).cpuMicroseconds),
    );
    await Promise.all([server, ingester, parser].map((child) => child.stop()));
    return { ...rates, note: `${transactions} transactions` };
  },
};
