import { pino } from 'pino';
import { MongoReadStore } from '../../../shared/read-store/mongo.ts';
import { MongoDatabase } from '../../../shared/read-store/mongo-database.ts';

/** What becomes of a call of the driver, after it was waited for. */
export type Fate = 'done' | 'fails' | 'answer lost';

/** A connection whose calls meet the fate that `decide` gives each, counted from 1 on. */
class FaultyDatabase extends MongoDatabase {
  calls = 0;
  decide: (call: number) => Fate | Promise<Fate> = () => 'done';

  protected override async ask<T>(action: () => Promise<T>): Promise<T> {
    const fate = await this.decide(++this.calls);
    if (fate === 'fails') throw new Error('the call fails');
    const answer = await action();
    if (fate === 'answer lost') throw new Error('the answer is lost');
    return answer;
  }
}

/** A store, and the connection that decides over its calls. */
export function openFaulty(url: string, database: string) {
  const connection = new FaultyDatabase({ url, database, logger: pino({ level: 'silent' }) });
  return { connection, store: new MongoReadStore(connection) };
}
