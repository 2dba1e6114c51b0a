import { Chart } from './charts.js';
import { clock, compact, count, counted, duration, rate } from './format.js';
import {
  setText,
  showDaos,
  showGenerations,
  showLetters,
  showPartitions,
  showUnknown,
  shownGeneration,
} from './tables.js';

const EVERY_MS = 2000;
const TIMEOUT_MS = 5000;
/** What the page keeps while it is open: six hours of a sample every two seconds. */
const KEPT = 10_800;

const problemTexts = {
  event_log_unavailable: 'The event log does not answer.',
  read_store_unavailable: 'The read store does not answer.',
  revocation_list_unavailable: 'The revocation list does not answer: the API refuses every request.',
  status_unavailable: 'The status cannot be read; the log of the process says why.',
};

const page = document.documentElement;
const element = (id) => document.getElementById(id);
const samples = { at: [], headLag: [], appended: [], folded: [] };
/** The newest of each part; a part that a failing store left out keeps its last value. */
let known = {};
let lastAnswer = null;
let lost = false;

const charts = [
  [
    new Chart(element('lag-chart'), {
      title: 'Head lag',
      floor: 5,
      marks: [2, 5, 15, 60, 300, 1800, 10_800, 86_400, 604_800],
      mark: duration,
      lines: [{ name: '', colour: 'accent', fill: true, format: duration }],
    }),
    ['headLag'],
  ],
  [
    new Chart(element('rate-chart'), {
      title: 'Records a second',
      floor: 10,
      marks: [2, 5, 10, 20, 50, 100, 1000, 10_000, 100_000],
      mark: compact,
      lines: [
        { name: 'appended', colour: 'line', fill: true, format: rate },
        { name: 'folded', colour: 'accent', format: rate },
      ],
    }),
    ['appended', 'folded'],
  ],
];

async function look() {
  try {
    const [status, history] = await Promise.all([ask('/status'), ask(`/history?since=${samples.at.at(-1) ?? 0}`)]);
    for (const name of Object.keys(samples)) {
      samples[name].push(...history[name]);
      samples[name].splice(0, samples[name].length - KEPT);
    }
    known = { ...known, ...status };
    lastAnswer = Date.now();
    lost = false;
    showStatus();
    showCharts();
  } catch (error) {
    lost = true;
    if (!(error instanceof TypeError || error instanceof DOMException)) console.error(error);
  }
  showFreshness();
}

/** JSON, of an answer that tells of problems too. */
async function ask(path) {
  const response = await fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok && response.status !== 503) throw new TypeError(`${path} answered ${response.status}`);
  return response.json();
}

function showStatus() {
  const { process, partitions, generations } = known;
  const parts = [process.roles.join(', '), `version ${process.version}`, `up ${duration(process.uptimeSeconds)}`];
  setText(element('process'), parts.join(' · '));
  showFigures();
  if (!partitions || !generations) return;
  showGenerations(known);
  showPartitions(known);
  showDaos(known);
  showLetters(known);
  showUnknown(known);
}

function showFigures() {
  const { headLagSeconds, partitions = [], generations = [], indexer, requests } = known;
  const [appended, folded] = [samples.appended.at(-1), samples.folded.at(-1)];
  const seqnos = partitions.flatMap(({ seqno }) => seqno ?? []);
  const times = partitions.flatMap(({ time }) => time ?? []);
  const letters = generations.reduce((sum, { deadLetters }) => sum + deadLetters, 0);
  const total = partitions.length > 0 ? partitions.reduce((sum, { end }) => sum + end, 0) : null;
  const oldest = times.length > 0 ? `as of ${clock(Math.min(...times) * 1000)}` : 'nothing is indexed yet';
  const seen = indexer?.seen ? `chain: ${count(indexer.seen)}` : 'of the masterchain';
  figure('head-lag', duration(headLagSeconds), oldest);
  figure('block', seqnos.length > 0 ? count(Math.min(...seqnos)) : '–', seen);
  figure('records', count(total), aSecond(appended));
  figure('fold-lag', count(shownGeneration(generations)?.lag), aSecond(folded, ' folded'));
  figure('dead-letters', count(letters), letters > 0 ? 'see below' : 'all could be folded', letters > 0);
  figure('requests', count(requests?.total), requests ? `${count(requests.failed)} failed` : 'served elsewhere');
  setText(element('spoken-lag'), spokenLag(headLagSeconds));
}

function aSecond(value, what = '') {
  return value === null || value === undefined ? 'rate not known yet' : `${rate(value)}${what} a second`;
}

function figure(id, text, note, alarming = false) {
  setText(element(id), text);
  setText(element(`${id}-note`), note);
  element(id).classList.toggle('alarming', alarming);
}

/** Coarse, so that a reader's voice tells of a change and not of every second. */
function spokenLag(seconds) {
  if (seconds === null || seconds === undefined) return 'Nothing is indexed yet';
  if (seconds < 15) return 'Head lag under 15 seconds';
  if (seconds < 60) return 'Head lag under a minute';
  const [size, unit] = seconds < 3600 ? [60, 'minute'] : [3600, 'hour'];
  return `Head lag over ${counted(Math.floor(seconds / size), unit)}`;
}

function showCharts() {
  const newest = samples.at.at(-1);
  if (newest === undefined) return;
  const to = newest / 1000;
  const asked = Number(document.querySelector('input[name=span]:checked').value);
  // A page that knows little shows it large.
  const from = Math.max(to - asked, Math.min(samples.at[0] / 1000, to - 60));
  const first = Math.max(0, samples.at.findIndex((at) => at / 1000 >= from));
  const at = samples.at.slice(first).map((time) => time / 1000);
  for (const [chart, names] of charts)
    chart.show([at, ...names.map((name) => samples[name].slice(first))], [from, to]);
}

function showFreshness() {
  const seconds = lastAnswer === null ? null : Math.round((Date.now() - lastAnswer) / 1000);
  page.classList.toggle('lost', lost);
  page.classList.toggle('fresh', !lost && lastAnswer !== null);
  setText(element('freshness-text'), freshness(seconds));
  const problems = (known.problems ?? []).map((problem) => problemTexts[problem] ?? problem);
  if (problems.length > 0) problems.push('What is shown is the last that is known.');
  const gone =
    'The server does not answer. What is shown is from its last answer; it is asked again every 2 seconds.';
  const notice = lost ? gone : problems.join(' ');
  setText(element('notice'), notice);
  element('notice').hidden = notice === '';
}

function freshness(seconds) {
  if (seconds === null) return lost ? 'No answer yet' : 'Connecting';
  if (lost) return `Lost, last answer ${duration(seconds)} ago`;
  return seconds < 5 ? 'Live' : `Updated ${duration(seconds)} ago`;
}

/** One look after the other; none while nobody sees the page, since the server keeps the past. */
async function keepLooking() {
  for (;;) {
    if (!document.hidden) await look();
    await new Promise((resolve) => {
      setTimeout(resolve, EVERY_MS);
      document.addEventListener('visibilitychange', resolve, { once: true });
    });
  }
}

for (const choice of document.querySelectorAll('input[name=span]')) choice.addEventListener('change', showCharts);
setInterval(showFreshness, 1000);
void keepLooking();
