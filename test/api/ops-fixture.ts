import { Writable } from 'node:stream';
import { pino } from 'pino';
import { type OpsOptions, startOps } from '../../api/ops/server.ts';
import type { StoreStatus } from '../../api/ops/snapshot.ts';
import type { RunningServer } from '../../api/server.ts';
import { MemoryRevocations, MemoryStore } from './memory-store.ts';

export const GENERATION: StoreStatus['generations'][number] = {
  id: 'g1',
  projections: '7',
  partitions: 2,
  createdAt: 1_750_000_000,
  live: true,
  building: false,
  promotion: 1,
  own: true,
  lag: 3,
  deadLetters: 2,
  digest: 'd'.repeat(64),
  checkpoints: [
    { partition: 0, offset: 10, lag: 0 },
    { partition: 1, offset: 4, lag: 3 },
  ],
  unknown: [
    { what: 'opcode', kind: 'dao', codeHash: 'c0de', opcode: '0x00000001', count: 5, example: 'transaction' },
    { what: 'code', kind: 'plugin', codeHash: 'beef', count: 1, example: 'account' },
  ],
};

/** The ops port over stores in memory, each of which can be told to fail. */
export class OpsFixture {
  readonly store = new MemoryStore();
  readonly revocations = new MemoryRevocations();
  status: StoreStatus = {
    daos: { [`0:${'da'.repeat(32)}`]: true },
    partitions: [
      { partition: 0, end: 10, seqno: 1001, time: Math.floor(Date.now() / 1000) - 60 },
      { partition: 1, end: 7, seqno: 1000, time: Math.floor(Date.now() / 1000) - 70 },
    ],
    generations: [GENERATION],
  };
  /** Makes the event log fail. */
  logFailsWith: Error | undefined;
  statusReads = 0;
  log = '';
  server!: RunningServer;

  async start(options: Partial<OpsOptions> = {}): Promise<void> {
    const sink = new Writable({
      write: (chunk, _encoding, done) => {
        this.log += String(chunk);
        done();
      },
    });
    const ends = () => (this.logFailsWith ? Promise.reject(this.logFailsWith) : Promise.resolve([]));
    const store = this.store.asReadStore();
    this.server = await startOps({
      roles: ['index', 'project', 'serve'],
      status: async () => {
        this.statusReads++;
        await Promise.all([ends(), store.view(() => Promise.resolve())]);
        return this.status;
      },
      eventLog: { ends },
      store,
      revocations: this.revocations,
      log: pino({ level: 'warn' }, sink),
      port: 0,
      ...options,
    });
  }

  async get(path: string): Promise<{ status: number; headers: Headers; text: string }> {
    const response = await fetch(this.server.url + path);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async json<T = Record<string, unknown>>(path: string): Promise<T> {
    return JSON.parse((await this.get(path)).text) as T;
  }
}
