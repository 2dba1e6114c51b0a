import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { installRedis } from './installed.ts';
import { dataFolder, freePort, type Server, startServer } from './server.ts';

const options = '--bind 127.0.0.1 --appendonly yes --appendfsync always --maxmemory-policy noeviction'.split(
  ' ',
);

export interface RedisServer extends Server {
  /** SIGKILL, then a start without the data. Resolves once it answers. */
  lose(): Promise<void>;
}

/** Starts a Redis that has on disk what it acknowledged. */
export async function startRedis(): Promise<RedisServer> {
  const version = await installRedis();
  const [folder, port] = await Promise.all([dataFolder('redis'), freePort()]);
  const server = await startServer({
    name: `Redis ${version}`,
    url: `redis://127.0.0.1:${port}`,
    folder,
    command: ['redis-server', ...options, '--save', '', '--port', `${port}`, '--dir', folder],
    answers: async () => {
      const client = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
      client.on('error', () => {}); // said by the call, too
      try {
        await client.connect();
        await client.ping();
      } finally {
        client.disconnect();
      }
    },
  });
  return {
    ...server,
    lose: async () => {
      await server.kill();
      await rm(join(folder, 'appendonlydir'), { recursive: true });
      await server.start();
    },
  };
}
