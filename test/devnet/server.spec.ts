import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Address,
  Cell,
  comment,
  contractAddress,
  Dictionary,
  internal,
  SendMode,
  TupleBuilder,
  toNano,
} from '@ton/core';
import { mnemonicToPrivateKey } from '@ton/crypto';
import { JettonMaster, TonClient4, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { expect } from 'chai';
import { codeOf } from './contracts/codes.ts';
import { type Devnet, startDevnet } from './devnet.ts';
import { upgradeTo } from './story/payloads.ts';

describe('devnet: v4 API, as an unmodified TonClient4 sees it', () => {
  let folder: string;
  let devnet: Devnet;
  let client: TonClient4;
  let dao: Address;
  let minter: Address;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'devnet.server-'));
    devnet = await startDevnet({ dataDir: folder, port: 0, blockInterval: 10 });
    client = new TonClient4({ endpoint: devnet.url });
    const [harbour] = devnet.story.daos;
    dao = Address.parse(harbour?.address ?? '');
    minter = Address.parse(harbour?.minter ?? '');
  });
  after(async () => {
    await devnet.close();
    await rm(folder, { recursive: true });
  });

  const get = async (path: string) => {
    const response = await fetch(`${devnet.url}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const until = async (holds: () => Promise<boolean>) => {
    while (!(await holds())) {
      await sleep(10);
    }
  };
  const shardOf = async (seqno: number) => {
    const [shard] = (await client.getBlock(seqno)).shards;
    if (!shard) {
      throw new Error(`block ${seqno} has no shard block`);
    }
    return shard;
  };

  it('shows a head that advances', async () => {
    const { last, now } = await client.getLastBlock();
    expect(last.workchain).to.equal(-1);
    expect(now).to.be.greaterThan(1_700_000_000);
    await until(async () => (await client.getLastBlock()).last.seqno > last.seqno);
  });

  it('lists the transactions of a block by account, then lt', async () => {
    const { transactions, workchain, shard, seqno } = await shardOf(2);
    expect([workchain, shard, seqno]).to.deep.equal([0, '-9223372036854775808', 2]);
    expect(transactions.length).to.be.greaterThan(10);
    const keys = transactions.map(
      ({ account, lt }) => `${Address.parse(account).toRawString()} ${lt.padStart(20, '0')}`,
    );
    expect(keys).to.deep.equal(keys.toSorted());
  });

  it('answers exist: false for a block that is not there yet, and 400 for what cannot be read', async () => {
    for (const path of [
      '/block/4000000000',
      `/block/4000000000/${dao.toString()}`,
      '/block/utime/4294967295',
    ]) {
      expect(await get(path)).to.deep.equal({ status: 200, text: '{"exist":false}' });
    }
    const hash = Buffer.alloc(32).toString('base64url');
    const malformed = [
      '/block/x',
      '/block/1/nonsense',
      `/block/1/${dao.toString()}/changed/x`,
      `/block/1/${dao.toString()}/run/seqno/nonsense`,
      `/account/${dao.toString()}/tx/1/short`,
      `/account/nonsense/tx/1/${hash}`,
      '/block/1/config/x',
    ];
    for (const path of malformed) {
      expect((await get(path)).status, path).to.equal(400);
    }
    expect((await get(`/account/${dao.toString()}/tx/5/${hash}`)).status).to.equal(500);
    expect((await get('/nothing/here')).status).to.equal(404);
    for (const body of ['not json', '{}', '{"boc":"AAAA"}']) {
      expect((await fetch(`${devnet.url}/send`, { method: 'POST', body })).status, body).to.equal(400);
    }
  });

  it('finds the first block at a time or after it', async () => {
    const { seqno } = (await client.getBlockByUtime(1_737_000_000)).shards[0] ?? {};
    const { account } = await client.getAccount(seqno ?? 0, dao);
    expect(account.storageStat?.lastPaid ?? 0).to.be.lessThan(1_737_100_000);
    expect((await client.getBlockByUtime(0)).shards[0]?.seqno).to.equal(1);
  });

  it('shows accounts as they were at a block', async () => {
    const { last } = await client.getLastBlock();
    const { account, block } = await client.getAccount(last.seqno, dao);
    const lite = await client.getAccountLite(last.seqno, dao);
    if (account.state.type !== 'active' || lite.account.state.type !== 'active') {
      throw new Error('the DAO is not active');
    }
    const [code] = Cell.fromBoc(Buffer.from(account.state.code ?? '', 'base64'));
    const [data] = Cell.fromBoc(Buffer.from(account.state.data ?? '', 'base64'));
    expect(code?.equals(codeOf('dao-6.1'))).to.equal(true);
    expect(lite.account.state.codeHash).to.equal(code?.hash().toString('base64'));
    expect(lite.account.state.dataHash).to.equal(data?.hash().toString('base64'));
    expect(lite.account.last).to.deep.equal(account.last);
    expect(block).to.deep.equal(last);
    const before = await client.getAccountLite(1, dao);
    expect([before.account.state.type, before.account.last]).to.deep.equal(['uninit', null]);
    const lt = BigInt(account.last?.lt ?? 0);
    expect((await client.isAccountChanged(last.seqno, dao, lt)).changed).to.equal(false);
    expect((await client.isAccountChanged(last.seqno, dao, lt - 1n)).changed).to.equal(true);
    expect((await client.isAccountChanged(1, dao, 0n)).changed).to.equal(false);
  });

  it('pages an account down to its first transaction, each link verified', async () => {
    const { account } = await client.getAccount(devnet.head(), dao);
    let lt = BigInt(account.last?.lt ?? 0);
    let hash = Buffer.from(account.last?.hash ?? '', 'base64');
    let count = 0;
    while (lt > 0n) {
      const page = await client.getAccountTransactions(dao, lt, hash);
      expect(page.length).to.be.within(1, 20);
      for (const { tx, block } of page) {
        expect([tx.lt, tx.hash().toString('hex')]).to.deep.equal([lt, hash.toString('hex')]);
        const listed = (await shardOf(block.seqno)).transactions.map((transaction) => transaction.hash);
        expect(listed).to.include(hash.toString('base64'));
        lt = tx.prevTransactionLt;
        hash = Buffer.from(tx.prevTransactionHash.toString(16).padStart(64, '0'), 'hex');
        count++;
      }
    }
    expect(count).to.be.greaterThan(60);
  });

  it('runs get-methods at the block that is asked for', async () => {
    const versionAt = async (seqno: number) => {
      const { exitCode, reader } = await client.runMethod(seqno, dao, 'get_version');
      return exitCode === 0 ? reader.readNumber() : exitCode;
    };
    const seen = new Set<number>();
    for (let seqno = 1; seqno <= 640; seqno += 9) {
      seen.add(await versionAt(seqno));
    }
    expect([...seen]).to.deep.equal([-256, 600, 601]);
    const owner = new TupleBuilder();
    owner.writeAddress(dao);
    const wallet = await client.runMethod(devnet.head(), minter, 'get_wallet_address', owner.build());
    const { minter: named } = {
      minter: (await client.runMethod(devnet.head(), wallet.reader.readAddress(), 'get_wallet_data')).reader
        .skip(2)
        .readAddress(),
    };
    expect(named.equals(minter)).to.equal(true);
    expect((await client.runMethod(devnet.head(), dao, 'no_such_method')).exitCode).to.equal(11);
  });

  it('opens contracts, at the head and at a block', async () => {
    const owner = Address.parse(devnet.story.wallets[3]?.address ?? '');
    const wallet = await client.open(JettonMaster.create(minter)).getWalletAddress(owner);
    expect((await client.open(JettonMaster.create(minter)).getJettonData()).totalSupply > 0n).to.equal(true);
    const seqno = devnet.head();
    const supply = await client.openAt(seqno, JettonMaster.create(minter)).getJettonData();
    expect(supply.adminAddress.equals(dao)).to.equal(true);
    expect(await client.isContractDeployed(seqno, wallet)).to.equal(true);
  });

  it('tells the network configuration, whole or in part', async () => {
    const whole = await client.getConfig(devnet.head());
    const part = await client.getConfig(devnet.head(), [8, 0]);
    const idsOf = (cell: string) =>
      Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), Cell.fromBase64(cell)).keys();
    expect(idsOf(part.config.cell)).to.have.members([0, 8]);
    expect(idsOf(whole.config.cell).length).to.be.greaterThan(20);
  });

  for (const version of ['v4', 'v5r1'] as const) {
    it(`takes messages of a ${version} wallet and refuses what the wallet does not accept`, async () => {
      const known = devnet.story.wallets.find((wallet) => wallet.version === version);
      const { publicKey, secretKey } = await mnemonicToPrivateKey((known?.mnemonic ?? '').split(' '));
      const request = async (seqno: number) => ({
        seqno,
        secretKey,
        sendMode: (SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS) as SendMode,
        messages: [internal({ to: dao, value: toNano(1), body: comment('hello') })],
      });
      const wallet =
        version === 'v4'
          ? client.open(WalletContractV4.create({ workchain: 0, publicKey }))
          : client.open(WalletContractV5R1.create({ workchain: 0, publicKey }));
      expect(wallet.address.toRawString()).to.equal(known?.address);
      const seqno = await wallet.getSeqno();
      const balance = await wallet.getBalance();
      await wallet.sendTransfer(await request(seqno));
      await until(async () => (await wallet.getSeqno()) === seqno + 1);
      expect((await wallet.getBalance()) < balance - toNano(1)).to.equal(true);
      const replayed = await wallet.sendTransfer(await request(seqno)).catch((error: unknown) => error);
      expect(String(replayed)).to.contain('500');
    });
  }

  it('deploys a new wallet through a wallet that pays for it', async () => {
    const { publicKey, secretKey } = await mnemonicToPrivateKey(
      (devnet.story.wallets[2]?.mnemonic ?? '').split(' '),
    );
    const payer = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
    const fresh = WalletContractV4.create({ workchain: 0, publicKey, walletId: 7 });
    expect(contractAddress(0, fresh.init).equals(fresh.address)).to.equal(true);
    const messages = [internal({ to: fresh.address, value: toNano(3), init: fresh.init, bounce: false })];
    await payer.sendTransfer({
      seqno: await payer.getSeqno(),
      secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages,
    });
    await until(() => client.isContractDeployed(devnet.head(), fresh.address));
    const sender = client.open(fresh);
    await sender.sendTransfer({
      seqno: 0,
      secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to: payer.address, value: toNano(1) })],
    });
    await until(async () => (await sender.getSeqno()) === 1);
  });

  it('carries proposals on demand, an upgrade of the elder DAO among them', async () => {
    const elder = devnet.story.daos[1]?.address ?? '';
    const payload = upgradeTo(Address.parse(elder), codeOf('dao-6.1')).cell;
    const answer = await fetch(`${devnet.url}/devnet/carry`, {
      method: 'POST',
      body: JSON.stringify({ dao: elder, payload: payload.toBoc().toString('base64') }),
    });
    const proposal = Address.parse(((await answer.json()) as { proposal: string }).proposal);
    const { reader } = await client.runMethod(devnet.head(), Address.parse(elder), 'get_version');
    expect(reader.readNumber()).to.equal(601);
    expect(await client.isContractDeployed(devnet.head(), proposal)).to.equal(true);
  });

  it('moves its clock', async () => {
    const { now } = await client.getLastBlock();
    devnet.advanceClock(100_000);
    expect((await client.getLastBlock()).now).to.be.at.least(now + 100_000);
  });
});
