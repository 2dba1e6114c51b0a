import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Address } from '@ton/core';
import { expect } from 'chai';
import { type ChainOptions, createChainClient } from '../../../shared/chain/chain-client.ts';
import { RetryableError } from '../../../shared/errors.ts';

const account = `0:${'ab'.repeat(32)}`;
const block = { workchain: -1, seqno: 7, shard: '-9223372036854775808', rootHash: '', fileHash: '' };
const latest = JSON.stringify({
  last: block,
  init: { fileHash: '', rootHash: '' },
  stateRootHash: '',
  now: 1_700_000_000,
});

describe('the chain client', () => {
  const servers: Server[] = [];

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Answers one request after the other with these; the last one for ever. */
  function answering(...answers: [status: number, body: string][]) {
    const calls: string[] = [];
    const listener: RequestListener = (request, response) => {
      const [status, body] = answers[Math.min(calls.length, answers.length - 1)] ?? [500, ''];
      calls.push(request.url ?? '');
      response.writeHead(status).end(body);
    };
    return { calls, listener };
  }

  function client(urls: string[], options: Partial<ChainOptions> = {}) {
    return createChainClient({ endpoints: urls.map((url) => ({ url })), retryDelayMs: 1, ...options });
  }

  async function failure(promise: Promise<unknown>): Promise<RetryableError> {
    const error: unknown = await promise.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(RetryableError);
    return error as RetryableError;
  }

  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('tries again after failures, malformed answers and dropped connections', async () => {
    const { listener, calls } = answering([500, 'internal'], [200, '{"half":'], [200, '{}'], [200, latest]);
    let dropped = false;
    const url = await serve((request, response) => {
      if (dropped) return listener(request, response);
      dropped = true;
      request.socket.destroy();
    });
    expect(await client([url]).head()).to.deep.equal({ seqno: 7, now: 1_700_000_000 });
    expect(calls).to.have.length(4);
  });

  it('gives up after a bounded number of attempts', async () => {
    const { listener, calls } = answering([500, 'internal']);
    const error = await failure(client([await serve(listener)], { retries: 2 }).head());
    expect(error.code).to.equal('CHAIN_UNAVAILABLE');
    expect(calls).to.have.length(3);
  });

  it('goes over to the next endpoint, and stays there', async () => {
    const [bad, good] = [answering([500, '']), answering([200, latest])];
    const chain = client([await serve(bad.listener), await serve(good.listener)]);
    await chain.head();
    await chain.head();
    expect(bad.calls).to.have.length(1);
    expect(good.calls).to.have.length(2);
  });

  it('asks each endpoint once for history that one does not keep', async () => {
    const [first, second] = [answering([403, 'too old']), answering([403, 'too old'])];
    const chain = client([await serve(first.listener), await serve(second.listener)]);
    const error = await failure(chain.transactions(account, { lt: '1', hash: 'cd'.repeat(32) }));
    expect(error.code).to.equal('BEYOND_HISTORY');
    expect([first.calls.length, second.calls.length]).to.deep.equal([1, 1]);
  });

  it('takes a block that is not there yet for an answer, an account at such a block not', async () => {
    const { listener, calls } = answering([200, '{"exist":false}']);
    const chain = client([await serve(listener)], { retries: 1 });
    expect(await chain.block(9)).to.equal(null);
    expect(calls).to.have.length(1);
    expect((await failure(chain.accountLite(9, account))).code).to.equal('NOT_YET');
    expect(calls).to.have.length(3);
  });

  it('gives addresses raw and hashes in hex', async () => {
    const transactions = [
      {
        account: Address.parse(account).toString(),
        hash: Buffer.alloc(32, 1).toString('base64'),
        lt: '5',
      },
    ];
    const body = JSON.stringify({
      exist: true,
      block: { shards: [{ ...block, workchain: 0, transactions }] },
    });
    const chain = client([await serve(answering([200, body]).listener)]);
    const [shard] = (await chain.block(7)) ?? [];
    expect(shard?.transactions).to.deep.equal([{ account, hash: '01'.repeat(32), lt: '5' }]);
  });

  it('keeps to its number of requests in flight and to its rate', async () => {
    let [inFlight, most] = [0, 0];
    const url = await serve((_, response) => {
      most = Math.max(most, ++inFlight);
      setTimeout(() => {
        inFlight -= 1;
        response.end(latest);
      }, 5);
    });
    const chain = createChainClient({ endpoints: [{ url, concurrency: 2, requestsPerSecond: 200 }] });
    await Promise.all(Array.from({ length: 10 }, () => chain.head()));
    expect(most).to.be.at.most(2);
  });

  it('ends at once when it is told to stop', async () => {
    const stop = new AbortController();
    const url = await serve(() => stop.abort());
    const error: unknown = await client([url], { signal: stop.signal })
      .head()
      .catch((reason: unknown) => reason);
    expect(error).to.equal(stop.signal.reason);
  });
});
