import { clock, count, counted, duration, rate, utc } from './format.js';

/** A cell is a text, or `{text, title?, class?}`, or `{lines: cells}`, or `{share: [done, of]}`. */
const number = (value) => ({ text: count(value), class: 'number' });
const mono = (text, title) => ({ text, class: 'mono', title });

/** The generation that the API serves, else the first. */
export function shownGeneration(generations) {
  return generations.find(({ live }) => live) ?? generations[0];
}

export function showGenerations({ generations, partitions }) {
  const end = partitions.reduce((sum, partition) => sum + partition.end, 0);
  const rows = generations.map(({ id, live, building, own, projections, createdAt, lag, deadLetters, digest }) => [
    {
      text: id,
      title: `Projections ${projections}, begun ${utc(createdAt * 1000)}`,
      badges: [live && 'live', building && 'building', !own && 'another version'].filter(Boolean),
    },
    { share: [end - lag, end] },
    number(lag),
    { ...number(deadLetters), ...(deadLetters > 0 && { class: 'number alarm' }) },
    mono(digest.slice(0, 16), digest),
  ]);
  fill('generations', rows, 'No generation yet: a projector makes the first one.');
}

export function showPartitions({ generations, partitions }) {
  const generation = shownGeneration(generations);
  const places = new Map(generation?.checkpoints.map((place) => [place.partition, place]));
  const rows = partitions.map(({ partition, end, seqno, time }) => [
    String(partition),
    number(end),
    number(places.get(partition)?.offset),
    number(places.get(partition)?.lag),
    number(seqno),
    time === null ? number(null) : { text: clock(time * 1000), title: utc(time * 1000), class: 'number' },
  ]);
  fill('partitions', rows, 'The log has no partition yet.');
  const note = generation ? `Of the log. Checkpoint and lag are those of ${generation.id}.` : 'Of the log.';
  setText(document.getElementById('partitions-note'), note);
}

export function showDaos({ daos, indexer }) {
  const known = new Map(indexer?.daos.map((dao) => [dao.dao, dao]));
  const backfills = new Map(indexer?.backfills.map((backfill) => [backfill.dao, backfill]));
  const addresses = [...new Set([...Object.keys(daos), ...known.keys()])];
  const rows = addresses.map((address) => [
    { ...mono(address), class: 'mono address' },
    daoState(daos[address], known.get(address), backfills.get(address)),
    number(known.get(address)?.accounts),
  ]);
  fill('daos', rows, 'No DAO is tracked yet: npx tsx cli.ts track <dao>');
}

function daoState(requested, known, backfill) {
  if (requested === false) return 'untracked';
  if (backfill) {
    const { transactions, rate: speed, eta } = backfill;
    const left = eta === null ? '' : `, ${duration(eta)} left`;
    return `backfilling: ${count(transactions.done)} of ${count(transactions.known)}, ${rate(speed)}/s${left}`;
  }
  if (!known) return 'tracked';
  if (known.behind.length > 0 && known.complete)
    return { text: `${counted(known.behind.length, 'account')} behind`, title: known.behind.join('\n') };
  return known.complete ? 'complete' : 'being read';
}

export function showLetters({ generations }) {
  const rows = generations
    .filter(({ deadLetters }) => deadLetters > 0)
    .map(({ id, deadLetters }) => [id, number(deadLetters)]);
  fill('letters', rows, 'None: every record could be folded.');
  document.getElementById('letters-command').hidden = rows.length === 0;
}

export function showUnknown({ generations }) {
  const unknown = shownGeneration(generations)?.unknown ?? [];
  const rows = unknown.map(({ what, kind, codeHash, opcode, count: seen, example }) => [
    opcode === undefined ? what : `${what} ${opcode}`,
    kind,
    number(seen),
    { lines: [mono(codeHash), { text: example, class: 'quiet mono' }].filter(({ text }) => text) },
  ]);
  fill('unknown', rows, 'Nothing: every message and every contract so far is in the registry.');
}

/** Brings the rows of a table up to date and touches what changed alone, so that a selection stays. */
function fill(id, rows, empty) {
  const table = document.getElementById(id);
  const labels = [...table.tHead.rows[0].cells].map(({ textContent }) => textContent.replaceAll('\u00ad', ''));
  const body = table.tBodies[0];
  table.classList.toggle('bare', rows.length === 0);
  const wanted = rows.length > 0 ? rows : [[{ text: empty, class: 'empty' }]];
  while (body.rows.length > wanted.length) body.lastElementChild.remove();
  for (const [index, cells] of wanted.entries()) {
    let row = body.rows[index];
    if (row?.cells.length !== cells.length) {
      const made = newRow(cells.length, labels);
      if (row) row.replaceWith(made);
      else body.append(made);
      row = made;
    }
    for (const [column, cell] of cells.entries()) setCell(row.cells[column], cell);
  }
}

function newRow(columns, labels) {
  const row = document.createElement('tr');
  row.setAttribute('role', 'row');
  for (let column = 0; column < columns; column++) {
    const heads = column === 0 && columns > 1;
    const cell = document.createElement(heads ? 'th' : 'td');
    cell.setAttribute('role', heads ? 'rowheader' : 'cell');
    if (heads) cell.scope = 'row';
    else if (columns > 1) cell.dataset.label = labels[column];
    else cell.colSpan = labels.length;
    row.append(cell);
  }
  return row;
}

function setCell(element, cell) {
  const wanted = JSON.stringify(cell);
  if (element.shown === wanted) return;
  element.shown = wanted;
  const parts = typeof cell === 'string' ? { text: cell } : cell;
  const { text, title = '', class: name = '', badges = [], lines, share } = parts;
  element.className = name;
  element.title = title;
  if (lines) element.replaceChildren(block('div', lines.map((line) => block('p', [line.text], line.class))));
  else if (share) element.replaceChildren(shareOf(share));
  else {
    const told = badges.map((badge) => block('span', [badge], `badge ${badge}`));
    element.replaceChildren(block('span', [text]), ...told);
  }
}

function shareOf([done, of]) {
  const bar = document.createElement('progress');
  bar.max = Math.max(of, 1);
  bar.value = of === 0 ? 1 : done;
  const percent = of === 0 ? 100 : Math.floor((done / of) * 1000) / 10;
  bar.setAttribute('aria-label', 'folded');
  return block('span', [bar, `${percent}%`], 'share');
}

function block(tag, children, name = '') {
  const element = document.createElement(tag);
  element.className = name;
  element.append(...children);
  return element;
}

/** Sets a text where it changed. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
