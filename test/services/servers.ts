import type { Server } from './servers/server.ts';
import { services } from './servers/services.ts';

const started: Server[] = [];

/** Starts the servers that the environment does not name, once for the whole run, and names them there. */
export async function mochaGlobalSetup(): Promise<void> {
  await Promise.all(
    Object.values(services).map(async ({ setting, start }) => {
      if (process.env[setting]) return console.log(`${setting} is set: using that server`);
      const from = performance.now();
      const server = await start();
      started.push(server);
      process.env[setting] = server.url;
      console.log(`${server.name} at ${server.url}, started in ${Math.round(performance.now() - from)} ms`);
    }),
  );
}

export async function mochaGlobalTeardown(): Promise<void> {
  await Promise.all(started.map((server) => server.stop()));
}
