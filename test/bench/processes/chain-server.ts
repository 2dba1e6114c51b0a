import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Address, type Cell } from '@ton/core';
import { joinBags } from '../../devnet/chain/boc.ts';
import { FakeChain } from '../../indexer/fake-chain.ts';
import { addressOf, FakeDao, unknownCode, walletCode } from '../../indexer/fake-dao.ts';
import { receiveTask, serve } from './under-test.ts';

/** How many transactions there are to be. */
export interface ChainTask {
  transactions: number;
}

/** The first word of this process, before its port. */
export interface ServedChain {
  dao: string;
  /** All transactions, in the pages that they are served in. */
  bags: Uint8Array[];
}

const WALLETS = 200;
const BLOCK = { workchain: 0, shard: '-9223372036854775808', seqno: 1, rootHash: '', fileHash: '' };

const { transactions } = await receiveTask<ChainTask>();
const chain = new FakeChain();
const dao = new FakeDao(chain);
const people = Array.from({ length: WALLETS }, (_, n) => addressOf(`person ${n}`));
const person = (n: number) => people[n % WALLETS] as Address;
for (const owner of people) dao.mint(owner);
// Each transfer is two transactions.
for (let n = 0; n < transactions / 2 - WALLETS; n++) dao.transfer(person(n), person(n * 7 + 1));
chain.seal();
const codes = new Map([dao.daoCode, unknownCode('minter'), walletCode].map((code) => [hashOf(code), code]));
const answers = new Map<string, string>();

const bags: Uint8Array[] = [];
for (const address of [dao.address, dao.minter, ...people.map((owner) => dao.walletOf(owner))]) {
  let { last } = await chain.account(1, address.toRawString());
  while (last !== null && last.lt !== '0') {
    const { bag, previous } = await page(address.toRawString(), last.lt, last.hash);
    bags.push(bag);
    last = previous;
  }
}
process.send?.({ dao: dao.raw, bags } satisfies ServedChain);

// As a v4 server answers TonClient4; what it said once it keeps, so as not to be what is waited for.
const server = createServer((req, res) => {
  void respond(req.url ?? '').then((text) => res.end(text));
});
server.listen(0, '127.0.0.1', () => serve((server.address() as AddressInfo).port));

async function respond(url: string): Promise<string> {
  const text = answers.get(url) ?? JSON.stringify(await answer(url.slice(1).split('/')));
  answers.set(url, text);
  return text;
}

async function answer([root, first = '', second = '', third = '', fourth = '']: string[]): Promise<object> {
  if (root === 'account') {
    const hash = Buffer.from(fourth, 'base64url').toString('hex');
    const { bag, blocks } = await page(Address.parse(first).toRawString(), third, hash);
    return { blocks, boc: Buffer.from(bag).toString('base64') };
  }
  if (first === 'latest') {
    const init = { fileHash: '', rootHash: '' };
    return { last: { ...BLOCK, workchain: -1 }, init, stateRootHash: '', now: 1 };
  }
  return accountAnswer(Address.parse(second).toRawString(), third === 'lite');
}

async function accountAnswer(address: string, lite: boolean): Promise<object> {
  const { status, codeHash, data, last } = await chain.account(1, address);
  const code = codes
    .get(codeHash ?? '')
    ?.toBoc()
    .toString('base64');
  const active = lite
    ? { type: 'active', codeHash: base64(codeHash ?? ''), dataHash: '' }
    : { type: 'active', code, data };
  const account = {
    state: status === 'active' ? active : { type: 'uninit' },
    balance: { coins: '0', currencies: {} },
    last: last && { lt: last.lt, hash: base64(last.hash) },
    storageStat: null,
  };
  return { account, block: BLOCK };
}

async function page(address: string, lt: string, hash: string) {
  const placed = await chain.transactions(address, { lt, hash });
  const roots = placed.map(({ transaction }) => transaction.raw.toBoc({ idx: false, crc32: false }));
  const oldest = placed.at(-1)?.transaction;
  const previous = oldest && {
    lt: oldest.prevTransactionLt.toString(),
    hash: oldest.prevTransactionHash.toString(16).padStart(64, '0'),
  };
  const blocks = placed.map(({ block }) => ({ ...block, rootHash: '', fileHash: '' }));
  return { bag: joinBags(roots), blocks, previous: previous ?? null };
}

function hashOf(code: Cell): string {
  return code.hash().toString('hex');
}

function base64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}
