import { openEmbeddedEventLog } from '../../../shared/event-log/embedded.ts';
import type { EventLog } from '../../../shared/event-log/event-log.ts';
import { PARTITIONS } from '../../conformance/facts.ts';

/** For the suite's other processes. */
export function open(at: string): Promise<EventLog> {
  return openEmbeddedEventLog(at, PARTITIONS);
}
