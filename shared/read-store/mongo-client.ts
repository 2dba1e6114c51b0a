import { type MongoClient, MongoServerSelectionError, MongoTopologyClosedError } from 'mongodb';
import { connectMongo } from './mongo-connection.ts';

/** A server that is away makes a new client no oftener. */
const STANDSTILL_MS = 5_000;

/**
 * The driver's client, and another one where it finds no server. The driver (7.8) stops now and then
 * to look for a server that was killed: each call then fails with what was seen last, although the
 * server has long been back. And where a client's first connection fails, none of its calls ever succeeds.
 */
export class RenewedClient {
  private readonly url: string;
  private readonly made: (client: MongoClient) => void;
  private client: MongoClient;
  private madeAt = performance.now();

  /** `made` is handed each client before it is used. */
  constructor(url: string, made: (client: MongoClient) => void) {
    this.url = url;
    this.made = made;
    this.client = this.make();
  }

  get current(): MongoClient {
    return this.client;
  }

  /** Is told of every failure of a call. */
  failed(reason: unknown): void {
    const now = performance.now();
    if (!isStandstill(reason) || now - this.madeAt < STANDSTILL_MS) return;
    const still = this.client;
    this.client = this.make();
    this.madeAt = now;
    void closed(still).catch(() => {});
  }

  close(): Promise<void> {
    return closed(this.client);
  }

  private make(): MongoClient {
    const client = connectMongo(this.url);
    this.made(client);
    return client;
  }
}

function isStandstill(reason: unknown): boolean {
  return reason instanceof MongoServerSelectionError || reason instanceof MongoTopologyClosedError;
}

function closed(client: MongoClient): Promise<void> {
  client.removeAllListeners('serverHeartbeatFailed');
  return client.close();
}
