const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `12,345`; a dash where nothing is known. */
export function count(value) {
  return value === null || value === undefined ? '–' : whole.format(value);
}

/** `12.3` a second, without a fraction from 100 on. */
export function rate(value) {
  return value === null || value === undefined ? '–' : (value < 100 ? tenth : whole).format(value);
}

/** `12K`, for axes. */
export function compact(value) {
  return short.format(value);
}

/** Seconds as `1.2 s`, `3 min 20 s`, `2 h 5 min`, `4 d 3 h`, with spaces that do not break. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return '–';
  if (seconds < 10) return `${tenth.format(seconds)}\u00a0s`;
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ];
  const first = units.findIndex(([, size]) => seconds >= size);
  const [unit, size] = units[first];
  const rest = units[first + 1];
  const parts = [`${Math.floor(seconds / size)} ${unit}`];
  const left = rest ? Math.floor((seconds % size) / rest[1]) : 0;
  if (left > 0) parts.push(`${left} ${rest[0]}`);
  return parts.join(' ').replaceAll(' ', '\u00a0');
}

/** The time of day on the viewer's clock, of unix milliseconds. */
export function clock(at) {
  return new Date(at).toLocaleTimeString('en-GB');
}

/** ISO 8601 in UTC with seconds, of unix milliseconds. */
export function utc(at) {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** `1 record`, `2 records`. */
export function counted(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}
