import type { EventLog } from '../../../shared/event-log/event-log.ts';

/**
 * Follows the log as one of several processes of a group. The parent keeps the checkpoints, like a read
 * store: it is asked for them, and each batch is offered to it, taken or refused.
 */
const [module = '', at = '', group = ''] = process.argv.slice(2);
const { open }: { open: (at: string) => Promise<EventLog> } = await import(module);
const waiting = new Map<number, (answer: number) => void>();
let questions = 0;

process.on('message', ({ question, answer }: { question: number; answer: number }) => {
  waiting.get(question)?.(answer);
  waiting.delete(question);
});

function ask(content: object): Promise<number> {
  return new Promise((resolve) => {
    const question = questions++;
    waiting.set(question, resolve);
    process.send?.({ question, ...content });
  });
}

const log = await open(at);
process.once('SIGTERM', () => void log.close().then(() => process.exit()));
await log.follow({
  group,
  maxRecords: 3,
  checkpoint: (partition) => ask({ partition }),
  async handle({ partition, from, to, records }) {
    const offsets = records.map(({ offset }) => offset);
    const taken = await ask({ partition, from, to, offsets });
    if (taken !== to) throw new Error('another process was here first');
  },
});
