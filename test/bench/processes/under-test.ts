import { once } from 'node:events';

/** What the parent process asks of this one. */
export async function receiveTask<T>(): Promise<T> {
  const [task] = (await once(process, 'message')) as [T];
  return task;
}

/** Tells the parent where this server listens, and from then on what it has used. */
export function serve(port: number): void {
  process.on('message', (asked) => {
    if (asked !== 'cpu') return;
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.once('disconnect', () => process.exit());
  process.send?.(port);
}
