import { clock } from './format.js';

/** A colour of the style sheet, as it is now: the page may turn dark while it is open. */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

const axis = {
  stroke: () => colour('quiet'),
  grid: { stroke: () => colour('rule'), width: 1 },
  ticks: { show: false },
  font: '12px system-ui, sans-serif',
};

/**
 * A chart over time. `lines` are `{name, colour, format, fill?}`; `floor` is the least height of the
 * scale, so that noise about nothing does not fill it; `marks` may stand at its side, written by `mark`.
 */
export class Chart {
  constructor(figure, { title, lines, floor, marks, mark }) {
    this.title = title;
    this.lines = lines;
    this.plot = figure.querySelector('.plot');
    this.reading = figure.querySelector('.reading');
    this.data = [[], ...lines.map(() => [])];
    this.span = [0, 1];
    const options = {
      ...this.size(),
      legend: { show: false },
      padding: [8, 28, 0, 0],
      cursor: {
        y: false,
        drag: { x: false, y: false },
        sync: { key: 'time' },
        points: { size: 7, stroke: (_, series) => colour(lines[series - 1].colour), fill: () => colour('ground') },
      },
      scales: {
        x: { range: () => this.span },
        y: {
          // Even near nothing, by powers of ten above: a backfill does not flatten what came after it.
          distr: 4,
          asinh: floor,
          range: (_, _low, high) => [0, Math.max((high ?? 0) * 1.3, floor)],
        },
      },
      axes: [
        { ...axis, space: 80, size: 28, grid: { show: false }, values: (_, at) => at.map(timeLabels(at)) },
        {
          ...axis,
          size: 52,
          splits: (chart) => apart(chart, marks),
          filter: (_, values) => values,
          values: (_, values) => values.map(mark),
        },
      ],
      series: [
        {},
        ...lines.map(({ colour: name, fill }) => ({
          stroke: () => colour(name),
          width: 1.5,
          points: { show: false },
          spanGaps: false,
          ...(fill && { fill: () => colour(`${name}-soft`) }),
        })),
      ],
      hooks: { setCursor: [() => this.read()] },
    };
    this.chart = new globalThis.uPlot(options, this.data, this.plot);
    new ResizeObserver(() => this.chart.setSize(this.size())).observe(this.plot);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.chart.redraw(false));
  }

  size() {
    return { width: this.plot.clientWidth, height: this.plot.clientHeight };
  }

  /** `columns`: unix seconds, then the values of each line; `span`: what is shown, in unix seconds. */
  show(columns, span) {
    this.data = columns;
    this.span = span;
    this.chart.setData(columns);
    this.read();
  }

  /** Tells the values under the cursor, else the newest. */
  read() {
    const pointed = this.chart?.cursor.idx ?? null;
    const index = pointed ?? this.data[0].length - 1;
    if (index < 0) return;
    const values = this.lines.map(({ format }, line) => format(this.data[line + 1][index]));
    const keys = this.lines.map(({ name, colour: shown }, line) => {
      const key = document.createElement('span');
      key.className = `key ${shown}`;
      key.textContent = name ? `${name} ${values[line]}` : values[line];
      return key;
    });
    const time = document.createElement('span');
    time.textContent = clock(this.data[0][index] * 1000);
    this.reading.replaceChildren(...(pointed === null ? [] : [time]), ...keys);
    const told = this.lines.map(({ name }, line) => `${name} ${values[line]}`.trim()).join(', ');
    this.plot.setAttribute('aria-label', `${this.title} over time; now ${told}`);
  }
}

/** The marks of a scale that leave room for each other, from the foot up. */
function apart(chart, marks) {
  const chosen = [0];
  for (const mark of marks) {
    const room = chart.valToPos(chosen.at(-1), 'y') - chart.valToPos(mark, 'y');
    if (mark <= chart.scales.y.max && room >= 26) chosen.push(mark);
  }
  return chosen;
}

/** Hours and minutes; seconds too where the marks are closer than a minute. */
function timeLabels(marks) {
  const close = marks.length > 1 && marks[1] - marks[0] < 60;
  return (mark) => clock(mark * 1000).slice(0, close ? 8 : 5);
}
