import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type RebuildOptions, type Rebuilt, rebuild } from '../../projector/rebuild/rebuild.ts';
import { generationDigest, project } from '../../projector/run.ts';
import { type Config, readConfig } from '../../shared/config.ts';
import type { LogRecord } from '../../shared/event-log/record.ts';
import type { GenerationWriter } from '../../shared/read-store/read-store.ts';
import { openStores, type Stores } from '../../shared/stores.ts';
import { addressOf } from './chain-of-facts.ts';

export const silent = pino({ level: 'silent' });

/** Embedded stores in a folder of their own, with records in the log. */
export class Rebuilding {
  readonly stores: Stores;
  readonly config: Config;

  private constructor(stores: Stores, config: Config) {
    this.stores = stores;
    this.config = config;
  }

  static async open(partitions: number, records: LogRecord[] = []): Promise<Rebuilding> {
    const folder = await mkdtemp(join(tmpdir(), 'rebuild-'));
    const config = readConfig({ DATA_DIR: folder, LOG_PARTITIONS: String(partitions), LOG_LEVEL: 'silent' });
    const opened = new Rebuilding(await openStores(config), config);
    await opened.append(records);
    return opened;
  }

  async append(records: LogRecord[]): Promise<void> {
    const writer = await this.stores.log.openWriter();
    await writer.append({ records, state: [], asOf: { seqno: 7, time: 9 } });
    await writer.close();
  }

  rebuild(options: Partial<RebuildOptions> = {}): Promise<Rebuilt> {
    const { log, store } = this.stores;
    return rebuild({ log, store, config: this.config, logger: silent, ...options });
  }

  /** Folds the log into a generation up to its end, as a projector does. */
  async project(id: string, stores: Pick<Stores, 'store'> = this.stores): Promise<string> {
    const { log } = this.stores;
    const writer = await stores.store.openWriter(id);
    for (const { partition, end } of await log.ends()) {
      const { offset } = await writer.checkpoint(partition);
      for await (const batch of log.scan(partition, offset, end)) await project(batch, writer, silent);
    }
    return this.digestOf(writer);
  }

  async digest(id: string): Promise<string> {
    return this.digestOf(await this.stores.store.openWriter(id));
  }

  async close(): Promise<void> {
    await this.stores.close();
    await rm(this.config.DATA_DIR, { recursive: true });
  }

  private digestOf(writer: GenerationWriter): Promise<string> {
    return generationDigest(writer, this.stores.log.partitions);
  }
}

/** The same facts, told of another DAO and of accounts of its own. */
export function ofDao(records: LogRecord[], name: string): LogRecord[] {
  const dao = addressOf(name);
  const own = (account: string) => addressOf(`${account} of ${name}`);
  return records.map((record) => ({
    ...record,
    dao,
    account: record.account === record.dao ? dao : own(record.account),
    ...(record.type === 'account' &&
      record.campaign && { campaign: { ...record.campaign, address: own(record.campaign.address) } }),
  }));
}
