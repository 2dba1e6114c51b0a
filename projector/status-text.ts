import Table from 'cli-table3';
import { isoTime } from '../shared/iso-time.ts';
import type { Status } from './status.ts';

/** The status for people: what is tracked, how far the log is, and what was folded of it. */
export function statusText({ daos, partitions, generations }: Status): string {
  const style = { head: [], border: [] };
  const log = new Table({ style, head: ['partition', 'records', 'as of block', 'at'] });
  for (const { partition, end, seqno, time } of partitions)
    log.push([partition, end, seqno ?? '-', time === null ? '-' : isoTime(time)]);
  const models = new Table({ style, head: ['generation', 'live', 'lag', 'dead letters', 'digest'] });
  for (const { id, live, lag, deadLetters, digest } of generations)
    models.push([id, live ? 'yes' : 'no', lag, deadLetters, `${digest.slice(0, 16)}…`]);
  const requested = Object.entries(daos).map(([dao, tracked]) => `${tracked ? 'track' : 'untrack'} ${dao}`);
  return [...requested, 'Log', log.toString(), 'Read models', models.toString()].join('\n');
}
