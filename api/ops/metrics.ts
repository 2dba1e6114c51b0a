import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { addRequestMetrics } from './request-metrics.ts';
import type { Snapshot, StoreStatus } from './snapshot.ts';
import { type ProcessParts, version } from './status.ts';

/** Unknown opcodes and code hashes told one by one at most; anybody can send any opcode. */
const UNKNOWN_TOLD = 100;

interface Sample {
  labels: Record<string, string | number>;
  value: number;
}

/** Gives the text of `/metrics`: the process's own, and gauges made anew from the snapshot. */
export function metrics(parts: ProcessParts): (snapshot: Snapshot) => Promise<string> {
  const own = new Registry();
  collectDefaultMetrics({ register: own });
  if (parts.requests) addRequestMetrics(own, parts.requests);
  return async (snapshot) => {
    const gauges = new Registry();
    addProcess(gauges, parts, snapshot);
    if (snapshot.status) addStatus(gauges, snapshot.status, snapshot.headLag);
    return (await own.metrics()) + (await gauges.metrics());
  };
}

function addProcess(registry: Registry, { roles, indexer }: ProcessParts, { stores }: Snapshot): void {
  add(registry, 'dao_indexer_info', 'Version and roles of this process; always 1', [
    { labels: { version, roles: roles.join(',') }, value: 1 },
  ]);
  add(
    registry,
    'dao_indexer_up',
    'Whether a store answers: 1 or 0',
    Object.entries(stores).map(([store, well]) => ({ labels: { store }, value: Number(well) })),
  );
  const status = indexer?.();
  if (!status) return;
  add(
    registry,
    'dao_indexer_chain_seqno',
    'Newest masterchain block that the chain told of, as a block number',
    status.seen === null ? [] : [{ labels: {}, value: status.seen }],
  );
  add(
    registry,
    'dao_indexer_accounts_behind',
    'Accounts of a DAO whose chain reaches further than the log, in accounts',
    status.daos.map(({ dao, behind }) => ({ labels: { dao }, value: behind.length })),
  );
}

function addStatus(
  registry: Registry,
  { partitions, generations }: StoreStatus,
  headLag: number | null,
): void {
  const single = (value: number | null) => (value === null ? [] : [{ labels: {}, value }]);
  const seqnos = partitions.flatMap(({ seqno }) => seqno ?? []);
  const perPartition = (of: 'offset' | 'lag') =>
    generations.flatMap(({ id, checkpoints }) =>
      checkpoints.map((checkpoint) => ({
        labels: { generation: id, partition: checkpoint.partition },
        value: checkpoint[of],
      })),
    );
  const perGeneration = (value: (generation: StoreStatus['generations'][number]) => number) =>
    generations.map((generation) => ({ labels: { generation: generation.id }, value: value(generation) }));

  const gauges: [name: string, help: string, samples: Sample[]][] = [
    ['head_lag_seconds', 'Age of the block that the log is complete up to, in seconds', single(headLag)],
    [
      'indexed_seqno',
      'Masterchain block that the log is complete up to, as a block number',
      single(seqnos.length === 0 ? null : Math.min(...seqnos)),
    ],
    [
      'log_records',
      'Records of a partition of the log, in records',
      partitions.map(({ partition, end }) => ({ labels: { partition }, value: end })),
    ],
    ['checkpoint_offset', 'Next record to fold, as an offset in records', perPartition('offset')],
    ['fold_lag_records', 'Records that are yet to be folded, in records', perPartition('lag')],
    [
      'dead_letters',
      'Records that could not be folded, in records',
      perGeneration((each) => each.deadLetters),
    ],
    [
      'generation_live',
      'Whether the API serves a generation: 1 or 0',
      perGeneration(({ live }) => Number(live)),
    ],
  ];
  for (const [name, help, samples] of gauges) add(registry, `dao_indexer_${name}`, help, samples);
  addUnknown(registry, generations);
}

/** Of the generation that is served; the commonest alone, since a label costs whoever keeps it. */
function addUnknown(registry: Registry, generations: StoreStatus['generations']): void {
  const { unknown = [] } = generations.find(({ live }) => live) ?? generations[0] ?? {};
  const counter = new Counter({
    name: 'dao_indexer_unknown_total',
    help: 'Messages with an opcode, and contracts with a code hash, that the registry lacks, in messages and contracts',
    labelNames: ['what', 'kind', 'code_hash', 'opcode'],
    registers: [registry],
  });
  const commonest = [...unknown].sort((a, b) => b.count - a.count).slice(0, UNKNOWN_TOLD);
  for (const { what, kind, codeHash, opcode = '', count } of commonest)
    counter.inc({ what, kind, code_hash: codeHash, opcode }, count);
}

function add(registry: Registry, name: string, help: string, samples: Sample[]): void {
  const labelNames = Object.keys(samples[0]?.labels ?? {});
  const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
  // One without labels begins with a 0 that nobody measured.
  gauge.remove({});
  for (const { labels, value } of samples) gauge.set(labels, value);
}
