import type { Row } from './row.ts';
import { blockToAnswer } from './rows/block-to-answer.ts';
import { endpoint1 } from './rows/endpoint-1.ts';
import { ingestion } from './rows/ingestion.ts';
import { notModified } from './rows/not-modified.ts';
import { pageFresh } from './rows/page-fresh.ts';
import { pageLast } from './rows/page-last.ts';
import { pageRepeated } from './rows/page-repeated.ts';
import { participant } from './rows/participant.ts';
import { projectingNaive } from './rows/projecting-naive.ts';
import { projectingScale } from './rows/projecting-scale.ts';
import { rebuildFloor } from './rows/rebuild-floor.ts';
import { rebuildParse } from './rows/rebuild-parse.ts';
import { rebuildScale } from './rows/rebuild-scale.ts';
import { twoProcesses } from './rows/two-processes.ts';
import { warmChecks } from './rows/warm-checks.ts';

/** Every row that needs nothing but this project, in the order of the table. */
export const rows: readonly Row[] = [
  endpoint1,
  pageFresh,
  pageRepeated,
  pageLast,
  notModified,
  warmChecks,
  participant,
  projectingNaive,
  projectingScale,
  rebuildFloor,
  rebuildParse,
  rebuildScale,
  ingestion,
  twoProcesses,
  blockToAnswer,
];
