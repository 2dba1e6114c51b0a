import { pino } from 'pino';
import type { KafkaSettings } from '../../../shared/event-log/kafka-client.ts';

export const PARTITIONS = 3;

export function settingsOf(brokers: string, prefix: string): KafkaSettings {
  return {
    brokers: brokers.split(','),
    prefix,
    partitions: PARTITIONS,
    replication: 1,
    tls: false,
    sasl: undefined,
    logger: pino({ level: 'silent' }),
  };
}
