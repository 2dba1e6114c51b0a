import { expect } from 'chai';
import { RequestCounts } from '../../api/ops/request-counts.ts';
import { GENERATION, OpsFixture } from './ops-fixture.ts';

interface Metric {
  help: string;
  type: string;
  samples: Map<string, number>;
}

/** Reads Prometheus' text format; every line has to be of it. */
function parse(text: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>();
  let last: Metric = { help: '', type: '', samples: new Map() };
  let [lastName, name] = ['', ''];
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const comment = /^# (HELP|TYPE) (\w+) (.+)$/.exec(line);
    const sample = /^(\w+)(\{.*\})? (\S+)$/.exec(line);
    if (comment?.[1] === 'HELP') {
      lastName = comment[2] ?? '';
      expect(metrics.has(lastName), `${lastName} twice`).to.equal(false);
      metrics.set(lastName, (last = { help: comment[3] ?? '', type: '', samples: new Map() }));
    } else if (comment) last.type = comment[3] ?? '';
    else {
      expect(sample, line).not.to.equal(null);
      name = sample?.[1] ?? '';
      expect(name.replace(/_(bucket|sum|count)$/, ''), line).to.equal(
        lastName.replace(/_(bucket|sum|count)$/, ''),
      );
      last.samples.set(name.slice(lastName.length) + (sample?.[2] ?? ''), Number(sample?.[3]));
    }
  }
  return metrics;
}

describe('/metrics', () => {
  const ops = new OpsFixture();
  beforeEach(() => Object.assign(ops, new OpsFixture()));
  afterEach(() => ops.server.close());

  const scrape = async () => {
    const { status, headers, text } = await ops.get('/metrics');
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('text/plain; version=0.0.4; charset=utf-8');
    return parse(text);
  };
  const samplesOf = (metrics: Map<string, Metric>, name: string) =>
    Object.fromEntries(metrics.get(`dao_indexer_${name}`)?.samples ?? []);

  it('has what the stores tell, each metric with its unit', async () => {
    const indexer = () => ({
      head: null,
      daos: [{ dao: 'd', complete: true, following: true, accounts: 4, behind: ['a', 'b'] }],
      seen: 1003,
      backfills: [],
    });
    await ops.start({ indexer });
    const metrics = await scrape();
    const of = (name: string) => samplesOf(metrics, name);
    expect(of('up')).to.deep.equal({
      '{store="event_log"}': 1,
      '{store="read_store"}': 1,
      '{store="revocation_list"}': 1,
    });
    expect(of('head_lag_seconds')['']).to.be.at.least(69);
    expect(of('indexed_seqno')).to.deep.equal({ '': 1000 });
    expect(of('chain_seqno')).to.deep.equal({ '': 1003 });
    expect(of('accounts_behind')).to.deep.equal({ '{dao="d"}': 2 });
    expect(of('log_records')).to.deep.equal({ '{partition="0"}': 10, '{partition="1"}': 7 });
    expect(of('checkpoint_offset')).to.deep.equal({
      '{generation="g1",partition="0"}': 10,
      '{generation="g1",partition="1"}': 4,
    });
    expect(of('fold_lag_records')).to.deep.include({ '{generation="g1",partition="1"}': 3 });
    expect(of('dead_letters')).to.deep.equal({ '{generation="g1"}': 2 });
    expect(of('generation_live')).to.deep.equal({ '{generation="g1"}': 1 });
    expect(of('unknown_total')).to.deep.equal({
      '{what="opcode",kind="dao",code_hash="c0de",opcode="0x00000001"}': 5,
      '{what="code",kind="plugin",code_hash="beef",opcode=""}': 1,
    });
    expect(metrics.get('process_cpu_seconds_total')?.samples.size).to.equal(1);
    for (const [name, { help, type }] of metrics) {
      expect(type, name).to.match(/^(gauge|counter|histogram|summary)$/);
      if (name.startsWith('dao_indexer_'))
        expect(help, name).to.match(
          /in (seconds|records|requests|messages|accounts)|as a block number|always 1|1 or 0/,
        );
    }
  });

  it('leaves out what a store that is down would have told', async () => {
    ops.store.failWith = new Error('mongodb://secret');
    await ops.start();
    const metrics = await scrape();
    expect(samplesOf(metrics, 'up')).to.deep.equal({
      '{store="event_log"}': 1,
      '{store="read_store"}': 0,
      '{store="revocation_list"}': 1,
    });
    for (const name of ['head_lag_seconds', 'indexed_seqno', 'dead_letters', 'log_records'])
      expect(samplesOf(metrics, name), name).to.deep.equal({});
  });

  it('has no head lag before anything was indexed', async () => {
    ops.status = {
      daos: {},
      partitions: [{ partition: 0, end: 0, seqno: null, time: null }],
      generations: [],
    };
    await ops.start();
    const metrics = await scrape();
    expect(samplesOf(metrics, 'head_lag_seconds')).to.deep.equal({});
    expect(samplesOf(metrics, 'log_records')).to.deep.equal({ '{partition="0"}': 0 });
  });

  it('tells the commonest unknown opcodes alone, since anybody can send any', async () => {
    const unknown = Array.from({ length: 500 }, (_, index) => ({
      what: 'opcode' as const,
      kind: 'dao',
      codeHash: 'c',
      opcode: `0x${index}`,
      count: index + 1,
      example: '',
    }));
    ops.status = { ...ops.status, generations: [{ ...GENERATION, unknown }] };
    await ops.start();
    const told = Object.values(samplesOf(await scrape(), 'unknown_total'));
    expect(told).to.have.length(100);
    expect(Math.min(...told)).to.equal(401);
  });

  it('counts requests and their durations, cumulative', async () => {
    const requests = new RequestCounts();
    for (const [status, ms] of [
      [200, 0.25],
      [200, 0.3],
      [404, 30],
      [500, 60_000],
    ] as const)
      requests.count('/daos/:dao_address', status, ms);
    requests.count(undefined, 404, 0.1);
    await ops.start({ requests });
    const metrics = await scrape();
    expect(samplesOf(metrics, 'http_requests_total')).to.deep.equal({
      '{route="/daos/:dao_address",status="200"}': 2,
      '{route="/daos/:dao_address",status="404"}': 1,
      '{route="/daos/:dao_address",status="500"}': 1,
      '{route="none",status="404"}': 1,
    });
    const durations = samplesOf(metrics, 'http_request_duration_seconds');
    const below = (le: string) => durations[`_bucket{route="/daos/:dao_address",le="${le}"}`];
    expect(['0.00025', '0.0005', '0.025', '0.05', '5', '+Inf'].map(below)).to.deep.equal([1, 2, 2, 3, 3, 4]);
    expect(durations['_count{route="/daos/:dao_address"}']).to.equal(4);
    expect(durations['_sum{route="/daos/:dao_address"}']).to.be.closeTo(60.03055, 1e-9);
    // A second look counts nothing twice.
    expect(samplesOf(await scrape(), 'http_requests_total')['{route="none",status="404"}']).to.equal(1);
  });
});
