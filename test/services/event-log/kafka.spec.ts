import { eventLogConformance } from '../../conformance/event-log.ts';
import { kafkaSubject } from './kafka-subject.ts';

eventLogConformance('kafka', () => kafkaSubject(process.env['KAFKA_BROKERS'] ?? ''));
