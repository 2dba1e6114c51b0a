import { randomUUID } from 'node:crypto';
import kafkajs, { type Admin } from 'kafkajs';
import type { EventLog } from '../../../shared/event-log/event-log.ts';
import type { Subject } from '../../conformance/subject.ts';
import { open } from './open-kafka.ts';

/** An empty log of its own on the brokers, `host:port` and comma-separated. */
export async function kafkaSubject(brokers: string): Promise<Subject<EventLog> & { prefix: string }> {
  const prefix = `test-${randomUUID()}`;
  const at = `${brokers}/${prefix}`;
  return {
    prefix,
    open: () => open(at),
    opener: { module: new URL('open-kafka.ts', import.meta.url).href, at },
    destroy: () =>
      withAdmin(brokers, async (admin) => {
        const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(`${prefix}.`));
        if (topics.length > 0) await admin.deleteTopics({ topics });
      }),
  };
}

export async function withAdmin<T>(brokers: string, use: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = new kafkajs.Kafka({
    brokers: brokers.split(','),
    logLevel: kafkajs.logLevel.NOTHING,
  }).admin();
  await admin.connect();
  try {
    return await use(admin);
  } finally {
    await admin.disconnect();
  }
}
