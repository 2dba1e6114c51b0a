import type { LogRecord } from '../../shared/event-log/record.ts';
import { beginnings, contribution } from './contribution.ts';

const CAMPAIGNS = 16;
const RECORDS_PER_CONTRIBUTION = 3.5;
const CONTRIBUTIONS_PER_HELPER = 2;
const CAMPAIGNS_PER_OWNER = 3;

/**
 * So many records of contributions. However many there are, every second contribution is its helper's
 * first, the others go to any helper before it, and an owner takes part in three campaigns: what a
 * record costs can be compared.
 */
export function* contributions(count: number): Generator<LogRecord> {
  const helpers = Math.ceil(count / RECORDS_PER_CONTRIBUTION / CONTRIBUTIONS_PER_HELPER);
  const owners = Math.ceil(helpers / CAMPAIGNS_PER_OWNER);
  let made = 0;
  for (const record of beginnings(CAMPAIGNS)) {
    made++;
    yield record;
  }
  for (let turn = 0; made < count; turn++) {
    const newest = turn >> 1;
    const first = turn % CONTRIBUTIONS_PER_HELPER === 0;
    const helper = first ? newest : scattered(turn) % (newest + 1);
    // The number shares no factor with what it walks around: owners mix.
    const owner = (helper * 7919) % owners;
    const campaign = (owner + 5 * Math.floor(helper / owners)) % CAMPAIGNS;
    for (const record of contribution(owner, campaign, first, 1000 + 10 * turn))
      if (made++ < count) yield record;
  }
}

/** A whole number below 2^32 that looks like chance: multiplicative hashing by Knuth. */
function scattered(n: number): number {
  return Math.imul(n, 2_654_435_761) >>> 0;
}
