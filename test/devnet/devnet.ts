import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Middleware } from 'koa';
import { Chain } from './chain/chain.ts';
import { ChainStore } from './chain/chain-store.ts';
import { Head } from './head.ts';
import { createApp } from './server/app.ts';
import type { Carry } from './server/carry-route.ts';
import { Activity } from './story/activity.ts';
import { carryProposal } from './story/carry.ts';
import type { StoryFacts } from './story/facts.ts';
import { tellStory } from './story/tell.ts';

export interface DevnetOptions {
  /** A folder of its own: a devnet that is started on it again goes on with the same chain. */
  dataDir: string;
  /** 0 = any free one. */
  port: number;
  host?: string;
  /** Activities a second after the story; 0 = none, which is also the default. */
  rate?: number;
  /** Blocks of the story that become visible a second; 0 = all at once, which is also the default. */
  pace?: number;
  seed?: string;
  /** Milliseconds between blocks where there is something to do; 400 as on mainnet, which is the default. */
  blockInterval?: number;
  /** Run before each route of the server: delays, failures, falsified answers. */
  faults?: Middleware[];
}

export interface Devnet {
  /** What a TonClient4 takes as its endpoint. */
  url: string;
  story: StoryFacts;
  /** The newest visible masterchain seqno. */
  head(): number;
  /** Moves the devnet's clock ahead for good; the next block has the new time. */
  advanceClock(seconds: number): void;
  close(): Promise<void>;
}

/** Starts the devnet: tells the story if its folder is new, then serves the chain and goes on with it. */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const {
    dataDir,
    port,
    host = '127.0.0.1',
    rate = 0,
    pace = 0,
    seed,
    blockInterval = 400,
    faults = [],
  } = options;
  const store = new ChainStore(dataDir);
  const story = await tellStory(store, seed).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const chain = await Chain.open(store);
  const activity = rate > 0 ? new Activity(chain, story, rate) : undefined;
  const head = new Head(chain, store, { pace, interval: blockInterval, activity });
  const view = { chain, store, visibleHead: () => head.visible(), now: () => head.now() };
  const carry: Carry = (dao, payload) =>
    head.exclusively(() => carryProposal(chain, story, dao, payload, head.now()));
  const handle = createApp(view, faults, carry).callback();
  const server = createServer((request, response) => void handle(request, response));
  await listen(server, port, host);
  head.start();
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    story,
    head: () => head.visible()?.master.seqno ?? 0,
    advanceClock: (seconds) => head.advanceClock(seconds),
    close: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await head.stop();
      await store.close();
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
