import { Address, type TupleItem, type TupleReader } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import { expect } from 'chai';
import type { AccountRecord } from '../../shared/event-log/record.ts';
import type { IndexedStory } from './harness.ts';

export type Body = Record<string, unknown>;

/** Both sides of a comparison: what the contracts answer at one block, and what the read models hold. */
export class Look {
  readonly seqno: number;
  private readonly client: TonClient4;
  private readonly story: IndexedStory;

  constructor(story: IndexedStory) {
    this.story = story;
    this.seqno = story.devnet.head();
    this.client = new TonClient4({ endpoint: story.devnet.url });
  }

  /** The answer of a get-method, which must succeed. */
  async get(account: string, method: string, args: TupleItem[] = []): Promise<TupleReader> {
    const { exitCode, reader } = await this.client.runMethod(
      this.seqno,
      Address.parse(account),
      method,
      args,
    );
    expect(exitCode, `${method} of ${account}`).to.equal(0);
    return reader;
  }

  async document<T extends Body>(model: string, key: string): Promise<T | null> {
    const found = await this.story.stores.store.view((view) => view.get(model, key));
    return JSON.parse(found?.body.toString() ?? 'null') as T | null;
  }

  /** Every body of a list, in order. */
  async items<T = Body>(list: string): Promise<T[]> {
    const bodies: T[] = [];
    for (let total = 1; bodies.length < total; ) {
      const page = await this.story.stores.store.view((view) => view.page(list, bodies.length, 1000));
      total = page?.total ?? 0;
      bodies.push(...(page?.items ?? []).map((item) => JSON.parse(item.toString()) as T));
    }
    return bodies;
  }

  /** The accounts of a DAO that came under tracking in this role. */
  async accounts(dao: string, kind: AccountRecord['kind']): Promise<AccountRecord[]> {
    const { log } = this.story.stores;
    const found: AccountRecord[] = [];
    for (const { partition, end } of await log.ends())
      for await (const { records } of log.scan(partition, 0, end))
        for (const { record } of records)
          if (
            record.type === 'account' &&
            record.reason === 'discovered' &&
            record.dao === dao &&
            record.kind === kind
          )
            found.push(record);
    return found;
  }
}

/** The sum of decimal strings. */
export function sumOf(amounts: unknown[]): string {
  return amounts.reduce<bigint>((sum, amount) => sum + BigInt(String(amount)), 0n).toString();
}
