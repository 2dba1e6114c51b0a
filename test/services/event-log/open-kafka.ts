import { pino } from 'pino';
import type { EventLog } from '../../../shared/event-log/event-log.ts';
import { openKafkaEventLog } from '../../../shared/event-log/kafka.ts';
import type { KafkaSettings } from '../../../shared/event-log/kafka-client.ts';
import { PARTITIONS } from '../../conformance/facts.ts';

/** Also for the suite's other processes: `at` is `<brokers>/<prefix>`. */
export function open(at: string, options: Partial<KafkaSettings> = {}): Promise<EventLog> {
  const [brokers = '', prefix = ''] = at.split('/');
  return openKafkaEventLog({
    brokers: brokers.split(','),
    prefix,
    partitions: PARTITIONS,
    replication: 1,
    tls: false,
    sasl: undefined,
    logger: pino({ level: process.env['LOG_LEVEL'] ?? 'silent' }, pino.destination(2)),
    ...options,
  });
}
