import type { Router } from '@koa/router';
import { parseTuple } from '@ton/core';
import type { Block } from '../chain/block.ts';
import { joinBags } from '../chain/boc.ts';
import { methodId } from '../chain/method-id.ts';
import { accountBody, liteAccountBody } from './account-body.ts';
import { type ChainView, visibleBlock } from './chain-view.ts';
import { LiteserverError, MalformedError, readAddress, readBoc, readHash, readLt } from './parameters.ts';

/** The routes that speak of one account, at a block or along its transactions. */
export function accountRoutes(router: Router, view: ChainView): void {
  const { store, chain } = view;
  const stateOf = (params: Record<string, string>) => {
    const block = visibleBlock(view, params['seqno']);
    const address = readAddress(params['address']);
    return { block, address, state: store.stateAt(address.toRawString(), block.master.seqno) };
  };

  router.get('/block/:seqno/:address', (context) => {
    const { block, state } = stateOf(context.params);
    context.body = { account: accountBody(state, store), block: block.master };
  });
  router.get('/block/:seqno/:address/lite', (context) => {
    const { state } = stateOf(context.params);
    context.body = { account: liteAccountBody(state) };
  });
  router.get('/block/:seqno/:address/changed/:lt', (context) => {
    const { block, state } = stateOf(context.params);
    const known = readLt(context.params['lt']);
    context.body = { changed: BigInt(state?.lt ?? 0) > known, block: block.master };
  });
  router.get(
    ['/block/:seqno/:address/run/:method', '/block/:seqno/:address/run/:method/:args'],
    async (context) => {
      const { block, address } = stateOf(context.params);
      const args = context.params['args'] === undefined ? [] : readTuple(context.params['args']);
      const method = methodId(context.params['method'] ?? '');
      const { exitCode, result } = await chain.runMethod(address, method, args, block.master.seqno);
      context.body = { exitCode, resultRaw: result, block: block.master, shardBlock: block.shard };
    },
  );
  router.get('/account/:address/tx/:lt/:hash', (context) => {
    const account = readAddress(context.params['address']).toRawString();
    const hash = readHash(context.params['hash']);
    const page = store.transactions(account, readLt(context.params['lt']));
    const head = view.visibleHead();
    const [newest] = page;
    if (!newest || newest.hash !== hash || !head || newest.seqno > head.master.seqno) {
      throw new LiteserverError('cannot locate the transaction with this logical time and hash');
    }
    context.body = {
      blocks: page.map(({ seqno }) => shardOf(store.block(seqno))),
      boc: joinBags(page.map(({ boc }) => boc)).toString('base64'),
    };
  });
}

function readTuple(text: string) {
  const cell = readBoc(text);
  try {
    return parseTuple(cell);
  } catch (error) {
    throw new MalformedError('the arguments are not a tuple', { cause: error });
  }
}

function shardOf(block: Block | undefined) {
  if (!block) {
    throw new LiteserverError('the block of a transaction is missing');
  }
  return block.shard;
}
