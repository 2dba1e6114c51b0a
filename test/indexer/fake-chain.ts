import {
  type AccountStatus,
  Address,
  beginCell,
  Cell,
  Dictionary,
  type DictionaryValue,
  internal,
  loadMessage,
  loadTransaction,
  type Message,
  type StateInit,
  storeMessage,
  storeTransaction,
  type Transaction,
  type TupleItem,
} from '@ton/core';
import type { AccountState } from '../../shared/chain/account-state.ts';
import type {
  ChainClient,
  ChainPoint,
  PlacedTransaction,
  ShardBlock,
} from '../../shared/chain/chain-client.ts';
import { RetryableError } from '../../shared/errors.ts';

interface Contract {
  state: { code: Cell; data: Cell } | null;
  transactions: { transaction: Transaction; seqno: number; state: { code: Cell; data: Cell } | null }[];
}

export interface Out {
  to: Address;
  body?: Cell;
  init?: StateInit;
}

export interface Happening {
  in?: Message;
  out?: Out[];
  /** Of the account after this transaction; unchanged where absent. */
  state?: { code: Cell; data: Cell };
  exitCode?: number;
}

const SHARD = '-9223372036854775808';

/**
 * A chain without a TVM: tests say what each transaction does, and get real cells with real hashes
 * in real chains. What a server may do wrong is done by overriding a method.
 */
export class FakeChain implements ChainClient {
  seqno = 1;
  private readonly zero: string;
  private lt = 1_000_000n;
  private readonly contracts = new Map<string, Contract>();
  private readonly blocks = new Map<number, ShardBlock[]>();
  private open: (ChainPoint & { account: string })[] = [];
  /** Accounts whose transactions blocks do not mention. */
  readonly unmentioned = new Set<string>();
  /** Of get-methods, by raw address and name. */
  readonly answers = new Map<string, TupleItem[]>();

  constructor(zeroState = '00'.repeat(32)) {
    this.zero = zeroState;
  }

  transact(address: Address, happening: Happening): Message[] {
    const account = address.toRawString();
    const contract = this.contracts.get(account) ?? { state: null, transactions: [] };
    this.contracts.set(account, contract);
    const before = contract.transactions.at(-1)?.transaction;
    const status = (state: unknown): AccountStatus => (state ? 'active' : 'uninitialized');
    const oldStatus = status(contract.state);
    if (happening.state) contract.state = happening.state;
    const exitCode = happening.exitCode ?? 0;
    const lt = (this.lt += 1_000_000n);
    const out = (happening.out ?? []).map(({ to, body, init }, index) => {
      const message = internal({
        to,
        value: 1_000_000_000n,
        bounce: true,
        body: body ?? Cell.EMPTY,
        ...(init && { init }),
      });
      const info = { ...message.info, src: address, createdLt: lt + BigInt(index) + 1n, createdAt: this.now };
      return { body: message.body, init: init ?? null, info };
    });
    const source = {
      address: BigInt(`0x${account.slice(2)}`),
      lt,
      prevTransactionHash: before ? BigInt(`0x${before.hash().toString('hex')}`) : 0n,
      prevTransactionLt: before?.lt ?? 0n,
      now: this.now,
      outMessagesCount: out.length,
      oldStatus,
      endStatus: status(contract.state),
      inMessage: happening.in,
      outMessages: dictionaryOf(out),
      totalFees: { coins: 1n },
      stateUpdate: { oldHash: Buffer.alloc(32), newHash: Buffer.alloc(32, 1) },
      description: description(exitCode, contract.state !== null),
    };
    const cell = beginCell()
      .store(storeTransaction(source as unknown as Transaction))
      .endCell();
    const transaction = loadTransaction(cell.beginParse());
    contract.transactions.push({ transaction, seqno: this.seqno, state: contract.state });
    this.open.push({ account, lt: lt.toString(), hash: transaction.hash().toString('hex') });
    return transaction.outMessages.values();
  }

  /** Ends the block; what happens from now on belongs to the next one. */
  seal(): void {
    const transactions = this.open
      .filter(({ account }) => !this.unmentioned.has(account))
      .toSorted((a, b) => (a.account < b.account ? -1 : Number(a.account > b.account)));
    this.blocks.set(this.seqno, [{ workchain: 0, shard: SHARD, seqno: this.seqno, transactions }]);
    this.open = [];
    this.seqno += 1;
  }

  get now(): number {
    return 1_700_000_000 + this.seqno;
  }

  async zeroState() {
    return this.zero;
  }

  async head() {
    const seqno = this.seqno - 1;
    return { seqno, now: 1_700_000_000 + seqno };
  }

  async block(seqno: number): Promise<ShardBlock[] | null> {
    return this.blocks.get(seqno) ?? null;
  }

  async account(seqno: number, address: string): Promise<AccountState> {
    const last = this.contracts.get(address)?.transactions.findLast((one) => one.seqno <= seqno);
    const state = last?.state ?? null;
    return {
      status: state ? 'active' : 'uninit',
      codeHash: state ? state.code.hash().toString('hex') : null,
      data: state ? state.data.toBoc().toString('base64') : null,
      last: last
        ? { lt: last.transaction.lt.toString(), hash: last.transaction.hash().toString('hex') }
        : null,
    };
  }

  async accountLite(seqno: number, address: string): Promise<AccountState> {
    return { ...(await this.account(seqno, address)), data: null };
  }

  async transactions(address: string, { lt, hash }: ChainPoint): Promise<PlacedTransaction[]> {
    const all = this.contracts.get(address)?.transactions ?? [];
    const index = all.findIndex(
      ({ transaction }) => transaction.lt.toString() === lt && transaction.hash().toString('hex') === hash,
    );
    if (index === -1) throw new RetryableError('CHAIN_UNAVAILABLE', 'status 500');
    return all
      .slice(Math.max(0, index - 19), index + 1)
      .reverse()
      .map(({ transaction, seqno }) => ({ block: { workchain: 0, shard: SHARD, seqno }, transaction }));
  }

  async runMethod(
    _seqno: number,
    address: string,
    name: string,
  ): Promise<{ exitCode: number; result: TupleItem[] }> {
    const result = this.answers.get(`${address} ${name}`);
    return result ? { exitCode: 0, result } : { exitCode: 11, result: [] };
  }

  /** How many transactions an account has. */
  lengthOf(account: string): number {
    return this.contracts.get(account)?.transactions.length ?? 0;
  }
}

const messageValue: DictionaryValue<Message> = {
  serialize: (message, builder) => builder.storeRef(beginCell().store(storeMessage(message))),
  parse: (slice) => loadMessage(slice.loadRef().beginParse()),
};

function dictionaryOf(messages: Message[]): Dictionary<number, Message> {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(15), messageValue);
  for (const [index, message] of messages.entries()) dictionary.set(index, message);
  return dictionary;
}

function description(exitCode: number, hasCode: boolean) {
  const success = exitCode === 0;
  return {
    type: 'generic',
    creditFirst: true,
    storagePhase: null,
    creditPhase: null,
    computePhase: hasCode
      ? {
          type: 'vm',
          success,
          messageStateUsed: false,
          accountActivated: false,
          gasFees: 0n,
          gasUsed: 1n,
          gasLimit: 1n,
          gasCredit: null,
          mode: 0,
          exitCode,
          exitArg: null,
          vmSteps: 1,
          vmInitStateHash: 0n,
          vmFinalStateHash: 0n,
        }
      : { type: 'skipped', reason: 'no-state' },
    actionPhase: null,
    bouncePhase: null,
    aborted: !success || !hasCode,
    destroyed: false,
  };
}
