import { cpus } from 'node:os';
import Table from 'cli-table3';
import { Command, Option } from 'commander';
import { peerRows } from './peers.ts';
import { type Measured, type Row, type Size } from './row.ts';
import { rows } from './rows.ts';
import { endServers } from './servers.ts';
import { serviceRows } from './services.ts';

interface Outcome extends Measured {
  row: Row;
  ratio: number;
  met: boolean;
}

const all = [...rows, ...peerRows, ...serviceRows];
const command = new Command('bench')
  .description('measures what the service is built for, side by side with what it is compared to')
  .option('--json', 'an array of {name, ours, reference, ratio, goal, met} on standard output')
  .option(
    '--services',
    'the rows against Kafka, MongoDB and Redis, which are started where no setting names them',
  )
  .option('--peers', 'the rows beside libraries of the field, which are installed where they are missing')
  .addOption(new Option('--only <row>', 'one row alone').choices(all.map(({ name }) => name)))
  .addOption(new Option('--size <size>', 'how much data').choices(['small', 'full']).default('full'))
  .parse();
const options = command.opts<{ json?: true; services?: true; peers?: true; only?: string; size: Size }>();

const asked = options.only === undefined ? group() : all.filter(isAsked);
const outcomes: Outcome[] = [];
try {
  for (const row of asked) {
    process.stderr.write(`${row.name} ...\n`);
    outcomes.push(await outcomeOf(row));
  }
} finally {
  await endServers();
}
console.log(options.json ? JSON.stringify(outcomes.map(forMachines), null, 2) : forPeople(outcomes));

function group(): readonly Row[] {
  if (options.services) return serviceRows;
  return options.peers ? peerRows : rows;
}

function isAsked({ name }: Row): boolean {
  return name === options.only;
}

async function outcomeOf(row: Row): Promise<Outcome> {
  const measured = await row.measure(options.size);
  const ratio = measured.ours / measured.reference;
  const met = 'atLeast' in row.goal ? ratio >= row.goal.atLeast : ratio <= row.goal.atMost;
  return { row, ...measured, ratio, met };
}

function forMachines({ row, ours, reference, ratio, met, note }: Outcome): object {
  const { name, unit } = row;
  return { name, ours, reference, ratio, goal: goalOf(row), met, unit, ...(note !== undefined && { note }) };
}

function forPeople(measured: Outcome[]): string {
  const table = new Table({
    head: ['row', 'ours', 'reference', 'unit', 'ratio', 'goal', 'met'],
    style: { head: [], border: [] },
    colWidths: [30, 34, 28, 16, 7, 9, 5],
    wordWrap: true,
  });
  for (const { row, ours, reference, ratio, met, note } of measured) {
    table.push([
      note === undefined ? row.name : `${row.name}\n(${note})`,
      `${row.ours}: ${figure(ours)}`,
      `${row.reference}: ${figure(reference)}`,
      row.unit,
      ratio.toFixed(2),
      goalOf(row),
      met ? 'yes' : 'no',
    ]);
  }
  const cores = cpus();
  const machine = `${cores[0]?.model ?? 'unknown processor'}, ${cores.length} cores, Node ${process.version}`;
  return `${machine}, ${process.platform}, size ${options.size}\n${table.toString()}`;
}

function goalOf({ goal }: Row): string {
  return 'atLeast' in goal ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`;
}

function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
