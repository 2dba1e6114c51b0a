import { randomUUID } from 'node:crypto';
import { services } from '../services/servers/services.ts';

type Service = keyof typeof services;

/** What this run's topics, keys and databases are called after: a server that is not ours may hold others'. */
export const OWN_NAME = `bench-${randomUUID()}`;

const urls = new Map<Service, Promise<string>>();
const endings: (() => Promise<unknown>)[] = [];

/** Where a server is: as the environment says, else one that is started when it is first asked for. */
export function serverUrl(service: Service): Promise<string> {
  const url = urls.get(service) ?? find(service);
  urls.set(service, url);
  return url;
}

/** What is to be closed or removed at the end of the run, the last one first. */
export function atEnd(end: () => Promise<unknown>): void {
  endings.push(end);
}

/** What cannot be removed is told, and keeps nothing else from being removed. */
export async function endServers(): Promise<void> {
  for (const end of endings.splice(0).toReversed())
    await end().catch((error: unknown) =>
      process.stderr.write(`${OWN_NAME} is not all removed: ${String(error)}\n`),
    );
}

async function find(service: Service): Promise<string> {
  const { setting, start } = services[service];
  const set = process.env[setting];
  if (set) return set;
  const server = await start();
  atEnd(() => server.stop());
  return server.url;
}
