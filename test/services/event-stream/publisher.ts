import { pino } from 'pino';
import { startEventPublisher } from '../../../projector/export/publish-events.ts';
import { openEmbeddedEventLog } from '../../../shared/event-log/embedded.ts';
import { openKafkaEventStream } from '../../../shared/event-stream/kafka.ts';
import { PARTITIONS, settingsOf } from './open-kafka.ts';

/** Publishes the log of a folder in small batches until it is killed; says when it has begun. */
const [dir = '', brokers = '', prefix = ''] = process.argv.slice(2);
const log = await openEmbeddedEventLog(dir, PARTITIONS);
const stream = await openKafkaEventStream(settingsOf(brokers, prefix));
await startEventPublisher({ log, stream, logger: pino({ level: 'silent' }), maxRecords: 7 });
console.log('publishing');
