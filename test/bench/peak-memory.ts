import { readFileSync } from 'node:fs';

export interface PeakMemory {
  /** The largest resident size so far, in MB; pages of mapped files count. */
  peakMb: number;
  /** Of what is resident now, what is not a page of a mapped file. */
  anonymousMb: number;
}

export function peakMemory(): PeakMemory {
  return { peakMb: Math.round(process.resourceUsage().maxRSS / 1024), anonymousMb: anonymous() };
}

/** LMDB maps its files, whose pages the system takes back when it needs them; Linux tells them apart. */
function anonymous(): number {
  try {
    const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return Math.round(Number(kilobytes) / 1024);
  } catch {
    return Number.NaN;
  }
}
