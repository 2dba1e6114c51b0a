import { isoTime } from '../shared/iso-time.ts';

let last = { seconds: Number.NaN, text: '' };

/** Unix seconds as the API writes every time. The last one is remembered: it is asked for again and again. */
export function isoSeconds(seconds: number): string {
  if (last.seconds !== seconds) last = { seconds, text: isoTime(seconds) };
  return last.text;
}
