import Table from 'cli-table3';
import { isoTime } from '../shared/iso-time.ts';
import type { GenerationStatus, Status } from './status.ts';
import type { Unknown } from './unknown.ts';

const style = { head: [], border: [] };

/** The status for people: what is tracked, how far the log is, and what was folded of it. */
export function statusText({ daos, partitions, generations }: Status): string {
  const log = new Table({ style, head: ['partition', 'records', 'as of block', 'at'] });
  for (const { partition, end, seqno, time } of partitions)
    log.push([partition, end, seqno ?? '-', time === null ? '-' : isoTime(time)]);
  const requested = Object.entries(daos).map(([dao, tracked]) => `${tracked ? 'track' : 'untrack'} ${dao}`);
  return [
    ...requested,
    'Log',
    log.toString(),
    'Read models',
    generationsText(generations),
    ...generations.flatMap(({ id, unknown }) => unknownText(id, unknown)),
  ].join('\n');
}

/** The generations of read models as a table. */
export function generationsText(generations: GenerationStatus[]): string {
  const head = ['generation', 'state', 'version', 'created', 'folded', 'lag', 'dead letters', 'digest'];
  const table = new Table({ style, head });
  for (const generation of generations) {
    const { id, own, projections, createdAt, lag, deadLetters, digest } = generation;
    table.push([
      id,
      stateOf(generation),
      own ? `${projections} (own)` : projections,
      isoTime(createdAt),
      progressOf(generation),
      lag,
      deadLetters,
      `${digest.slice(0, 16)}…`,
    ]);
  }
  return table.toString();
}

function stateOf({ live, building, promotion }: GenerationStatus): string {
  if (live) return 'live';
  if (building) return 'building';
  return promotion > 0 ? 'was live' : 'built';
}

/** Rounded down: only what is folded whole is at 100 %. */
function progressOf({ checkpoints, lag }: GenerationStatus): string {
  const folded = checkpoints.reduce((sum, { offset }) => sum + offset, 0);
  return `${lag === 0 ? 100 : Math.floor((100 * folded) / (folded + lag))} %`;
}

function unknownText(generation: string, unknown: Unknown[]): string[] {
  if (unknown.length === 0) return [];
  const table = new Table({ style, head: ['count', 'unknown', 'contract', 'first met in'] });
  for (const { what, kind, codeHash, opcode, count, example } of unknown)
    table.push([count, opcode ?? what, `${kind} ${codeHash}`, example]);
  return [`Unknown to the contracts of generation ${generation}`, table.toString()];
}
