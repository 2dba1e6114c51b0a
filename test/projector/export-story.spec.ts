import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import type { EventRow } from '../../projector/export/event-row.ts';
import { toNdjson } from '../../projector/export/ndjson.ts';
import { toParquet } from '../../projector/export/parquet.ts';
import { rowSchema } from '../../projector/export/row-schema.ts';
import { selectRows } from '../../projector/export/select-rows.ts';
import { acceptContribution } from '../../shared/contracts/crowdfunding/accept-contribution.ts';
import { type IndexedStory, indexStory } from '../service/harness.ts';
import { Look } from '../service/look.ts';
import { bytesOf, collect } from './export-log.ts';
import { readParquet } from './read-parquet.ts';

type Data = Record<string, string>;

describe('exporting the story', () => {
  let story: IndexedStory;
  let look: Look;
  let rows: EventRow[];

  before(async () => {
    story = await indexStory();
    await story.caughtUp();
    look = new Look(story);
    rows = await collect(selectRows(story.stores.log, { all: true }));
  });

  after(() => story.close());

  it('every row is what the schema says, and every record has one', async () => {
    const validate = new Ajv2020({ strict: false }).compile(rowSchema);
    for (const row of rows)
      expect(validate(row), `${JSON.stringify(validate.errors)} ${row.event}`).to.equal(true);
    const ends = await story.stores.log.ends();
    const records = new Set(rows.map(({ partition, offset }) => `${partition} ${offset}`));
    expect(records.size).to.equal(ends.reduce((total, { end }) => total + end, 0));
  });

  it('nothing in it is unknown or could not be read', () => {
    expect(of('unknown').concat(of('undecodable'))).to.deep.equal([]);
  });

  it('DAOs, proposals and campaigns are those that the story tells', () => {
    const { daos, proposals, campaigns } = story.devnet.story;
    expect(accountsOf('dao_deployed')).to.have.members(daos.map(({ address }) => address));
    expect(accountsOf('proposal_announced')).to.have.members(proposals.map(({ address }) => address));
    expect(accountsOf('campaign_started')).to.have.members(campaigns.map(({ address }) => address));
  });

  it('there are as many contributions as messages that told of one, and they add up to what the campaigns hold', async () => {
    let messages = 0;
    for (const { partition, end } of await story.stores.log.ends())
      for await (const { records } of story.stores.log.scan(partition, 0, end))
        for (const { record } of records)
          if (record.type === 'transaction' && record.kind === 'campaign' && record.success)
            if (record.in?.opcode === acceptContribution.opcode && !record.in.bounced) messages++;
    const contributions = of('contribution_accepted');
    expect(contributions).to.have.length(messages);
    expect(messages).to.be.greaterThan(500);
    for (const { address } of story.devnet.story.campaigns) {
      const onChain = await look.get(address, 'get_campaign_data');
      onChain.skip();
      onChain.skip();
      expect(sum(contributions.filter(({ account }) => account === address))).to.equal(
        onChain.readBigNumber(),
      );
    }
  });

  it('jettons that came and went leave as many holders as the story tells', () => {
    const signs: Record<string, bigint> = {
      jettons_received: 1n,
      send_bounced: 1n,
      burn_bounced: 1n,
      jettons_sent: -1n,
      jettons_burned: -1n,
    };
    const balances = new Map<string, bigint>();
    for (const { kind, account, event, data } of rows)
      if (kind === 'gp_wallet')
        balances.set(
          account,
          (balances.get(account) ?? 0n) + (signs[event] ?? 0n) * BigInt((data as Data)['amount'] ?? 0),
        );
    expect([...balances.values()].filter((balance) => balance > 0n)).to.have.length(
      story.devnet.story.holders,
    );
  });

  it('exported twice it is the same, and Parquet holds the rows of NDJSON', async () => {
    const read = () => selectRows(story.stores.log, {});
    const ndjson = await bytesOf(toNdjson(read()));
    const parquet = await bytesOf(toParquet(read()));
    expect((await bytesOf(toNdjson(read()))).equals(ndjson)).to.equal(true);
    expect((await bytesOf(toParquet(read()))).equals(parquet)).to.equal(true);
    expect(`${(await readParquet(parquet)).map((row) => JSON.stringify(row)).join('\n')}\n`).to.equal(
      ndjson.toString(),
    );
  });

  const of = (event: string) => rows.filter((row) => row.event === event);
  const accountsOf = (event: string) => of(event).map(({ account }) => account);
});

function sum(rows: EventRow[]): bigint {
  return rows.reduce((total, { data }) => total + BigInt((data as Data)['amount'] ?? 0), 0n);
}
