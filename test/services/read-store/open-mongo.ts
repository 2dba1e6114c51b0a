import { pino } from 'pino';
import { openMongoReadStore } from '../../../shared/read-store/mongo.ts';
import type { ReadStore } from '../../../shared/read-store/read-store.ts';

/** For the suite's other processes. */
export function open(database: string): Promise<ReadStore> {
  const url = process.env['MONGODB_URL'] ?? '';
  return openMongoReadStore({ url, database, logger: pino({ level: 'silent' }) });
}
