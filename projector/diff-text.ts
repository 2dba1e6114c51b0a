import Table from 'cli-table3';
import type { Diff, Example } from './diff.ts';
import type { FieldChange } from './diff-documents.ts';

const MOST_FIELDS = 12;
const MOST_CHARACTERS = 100;

/** A diff for people. */
export function diffText(diff: Diff): string {
  const { old, new: young, models, same } = diff;
  const lines = [`${old.id} -> ${young.id}`];
  for (const { id, behind } of [old, young])
    if (behind > 0)
      lines.push(
        `Warning: ${id} is ${behind} records behind the other: what it lacks counts as a difference`,
      );
  if (same) return [...lines, 'Every document is the same.'].join('\n');
  const table = new Table({
    style: { head: [], border: [] },
    head: ['read model', 'added', 'removed', 'changed'],
  });
  for (const { model, added, removed, changed } of models) table.push([model, added, removed, changed]);
  lines.push(table.toString());
  for (const { model, examples } of models)
    lines.push(...examples.flatMap((each) => exampleLines(model, each)));
  return lines.join('\n');
}

function exampleLines(model: string, { change, key, fields }: Example): string[] {
  const more = fields.length - MOST_FIELDS;
  return [
    `${change} ${model} ${key}`,
    ...fields.slice(0, MOST_FIELDS).map((field) => `  ${fieldText(field)}`),
    ...(more > 0 ? [`  … ${more} more fields`] : []),
  ];
}

function fieldText(field: FieldChange): string {
  const name = field.path || '(order of fields)';
  if (!('old' in field)) return `${name}: ${shown(field.new)}`;
  if (!('new' in field)) return `${name}: ${shown(field.old)} (gone)`;
  return `${name}: ${shown(field.old)} -> ${shown(field.new)}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
