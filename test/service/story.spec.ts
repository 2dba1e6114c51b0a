import { Dictionary, type Slice, type TupleReader } from '@ton/core';
import { expect } from 'chai';
import { readStatus } from '../../projector/status.ts';
import { loadPluginInfo, pluginTypeName } from '../../shared/contracts/governance/plugin-info.ts';
import { loadJettonContent } from '../../shared/contracts/jetton/content.ts';
import { isoTime } from '../../shared/iso-time.ts';
import { proposalActionTypes } from '../devnet/story/expected.ts';
import { type IndexedStory, indexStory } from './harness.ts';
import { type Body, Look, sumOf } from './look.ts';

interface DaoBody extends Body {
  jetton_address: string;
  total_supply: string;
  plugins: { address: string; type: string }[];
}

const ballot = {
  parse: (slice: Slice) => ({ amount: slice.loadCoins(), time: slice.loadUint(32) }),
  serialize: () => {},
};

describe('the read models of the story equal what the contracts answer', () => {
  let story: IndexedStory;
  let look: Look;

  before(async () => {
    story = await indexStory();
    await story.caughtUp();
    look = new Look(story);
  });

  after(() => story.close());

  for (const index of [0, 1]) {
    const dao = () => story.devnet.story.daos[index]?.address ?? '';
    describe(`DAO ${index + 1}`, () => {
      it('configuration and plugins', async () => {
        const body = await daoBody(dao());
        const onChain = await look.get(dao(), 'get_dao_data');
        expect(body['owner_address']).to.equal(onChain.readAddress().toRawString());
        expect(body.jetton_address).to.equal(onChain.readAddress().toRawString());
        expect(body['success_percentage']).to.equal(onChain.readNumber() / 100);
        onChain.skip();
        onChain.skip();
        const plugins = onChain
          .readCellOpt()
          ?.beginParse()
          .loadDictDirect(Dictionary.Keys.Address(), {
            parse: (s: Slice) => loadPluginInfo(s.loadRef().beginParse()),
            serialize: () => {},
          });
        const expected = [...(plugins ?? [])].map(
          ([address, { type }]) => `${address.toRawString()} ${pluginTypeName(type)}`,
        );
        expect(body.plugins.map(({ address, type }) => `${address} ${type}`)).to.have.members(expected);
      });

      it('crowdfunding status follows the version of the code', async () => {
        const version = (await look.get(dao(), 'get_version')).readNumber();
        const { crowdfunding_status } = await daoBody(dao());
        expect(crowdfunding_status).to.equal(version >= 601 ? 'ready' : 'legacy');
      });

      it('total supply and metadata', async () => {
        const body = await daoBody(dao());
        const onChain = await look.get(body.jetton_address, 'get_jetton_data');
        expect(body.total_supply).to.equal(onChain.readBigNumber().toString());
        onChain.skip();
        onChain.skip();
        expect(body['jetton_metadata']).to.deep.equal(loadJettonContent(onChain.readCell()).metadata);
      });

      it('the balance of every wallet, and their sum', async () => {
        const holders = await look.items(`holders/${dao()}`);
        const balances = new Map(holders.map((holder) => [holder['jetton_wallet_address'], holder]));
        const wallets = await look.accounts(dao(), 'gp_wallet');
        expect(wallets.length).to.be.greaterThan(50);
        for (const { account } of wallets) {
          const onChain = await look.get(account, 'get_wallet_data');
          const balance = onChain.readBigNumber();
          const owner = onChain.readAddress().toRawString();
          const expected =
            balance === 0n
              ? undefined
              : { jetton_wallet_address: account, owner_address: owner, balance: balance.toString() };
          expect(balances.get(account), account).to.deep.equal(expected);
          balances.delete(account);
        }
        expect([...balances.keys()]).to.deep.equal([]);
        const sum = sumOf(holders.map(({ balance }) => balance));
        expect(sum).to.equal((await daoBody(dao())).total_supply);
      });

      it('every proposal', async () => {
        const proposals = await look.items(`proposals/${dao()}`);
        const next = await nextProposalId(dao());
        expect(proposals.map(({ proposal_id }) => proposal_id)).to.deep.equal(
          Array.from({ length: next - 1 }, (_, i) => next - 1 - i),
        );
        for (const proposal of proposals) await expectProposal(proposal);
      });

      it('every vote of every proposal', async () => {
        for (const { address, current_amount } of await look.items(`proposals/${dao()}`)) {
          const onChain = votesOf(await look.get(String(address), 'get_votes'));
          const votes = await look.items(`votes/${dao()}/${String(address)}`);
          expect(votes).to.have.deep.members(
            [...onChain].map(([voter, { amount, time }]) => ({
              proposal_address: address,
              voter_address: voter.toRawString(),
              amount: amount.toString(),
              date_create: isoTime(time),
            })),
          );
          const sum = sumOf(votes.map(({ amount }) => amount));
          expect(sum).to.equal(current_amount);
        }
      });
    });
  }

  it('proposals are of every type and status that the story tells', async () => {
    const bodies = (
      await Promise.all(story.devnet.story.daos.map(({ address }) => look.items(`proposals/${address}`)))
    ).flat();
    const types = new Set(bodies.map(({ type }) => type));
    expect([...types]).to.have.members([...proposalActionTypes]);
    const statuses = new Set(bodies.map(({ status }) => status));
    expect([...statuses]).to.have.members(['active', 'executed', 'mine', 'unknown']);
  });

  it('no record was parked and no account is missing a link', async () => {
    const dead = await story.stores.store.view((view) => view.list('dead_letters/0'));
    expect(dead?.total).to.equal(0);
  });

  it('there is no code and no opcode that nobody reads', async () => {
    const { log, store } = story.stores;
    const { generations } = await readStatus(log, store);
    expect(generations.map(({ unknown }) => unknown)).to.deep.equal([[]]);
  });

  async function daoBody(dao: string): Promise<DaoBody> {
    const body = await look.document<DaoBody>('dao', dao);
    if (!body) throw new Error(`no document of ${dao}`);
    return body;
  }

  async function expectProposal(body: Body): Promise<void> {
    const onChain = await look.get(String(body['address']), 'get_proposal_data');
    const initialised = onChain.readBoolean();
    const executed = onChain.readBoolean();
    expect(body['status'] === 'executed').to.equal(executed);
    expect(body['status'] !== 'mine').to.equal(initialised);
    expect(body['proposal_id']).to.equal(onChain.readNumber());
    expect(body['dao_address']).to.equal(onChain.readAddress().toRawString());
    expect(body['jetton_master_address']).to.equal(onChain.readAddress().toRawString());
    expect(body['initiated_by_address']).to.equal(onChain.readAddress().toRawString());
    expect(body['total_supply']).to.equal(onChain.readBigNumber().toString());
    expect(body['success_percentage']).to.equal(onChain.readNumber() / 100);
    expect(body['success_amount']).to.equal(onChain.readBigNumber().toString());
    expect(body['current_amount']).to.equal(onChain.readBigNumber().toString());
    expect(body['date_start']).to.equal(isoTime(onChain.readNumber()));
    expect(body['date_expire']).to.equal(isoTime(onChain.readNumber()));
    onChain.skip();
    onChain.skip();
    expect(body['raw_data']).to.equal(onChain.readCell().toBoc().toString('base64'));
  }

  async function nextProposalId(dao: string): Promise<number> {
    const onChain = await look.get(dao, 'get_dao_data');
    for (let field = 0; field < 3; field++) onChain.skip();
    return onChain.readNumber();
  }
});

function votesOf(reader: TupleReader) {
  return reader.readCellOpt()?.beginParse().loadDictDirect(Dictionary.Keys.Address(), ballot) ?? [];
}
