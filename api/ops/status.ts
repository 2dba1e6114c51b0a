import packageJson from '../../package.json' with { type: 'json' };
import type { IndexingStatus } from './indexing.ts';
import type { RequestCounts } from './request-counts.ts';
import type { Snapshot } from './snapshot.ts';

/** What the process knows of itself, beside the stores that it shares with others. */
export interface ProcessParts {
  /** `index`, `project`, `serve`. */
  roles: readonly string[];
  /** Where the process indexes. */
  indexer?: () => IndexingStatus;
  /** Where the process serves. */
  requests?: RequestCounts;
}

export const { version } = packageJson;

/** The body of `/status`: what `dao-indexer status --json` tells, and what this process knows. */
export function statusBody({ at, stores, problems, status, headLag }: Snapshot, parts: ProcessParts): object {
  const { roles, indexer, requests } = parts;
  return {
    /** Unix milliseconds of the reading. */
    at,
    problems,
    stores,
    process: {
      version,
      roles,
      node: process.version,
      pid: process.pid,
      uptimeSeconds: Math.floor(process.uptime()),
      memoryBytes: process.memoryUsage.rss(),
    },
    headLagSeconds: headLag,
    ...status,
    indexer: indexer?.() ?? null,
    requests: requests ? requestsBody(requests) : null,
  };
}

function requestsBody(requests: RequestCounts): object {
  const routes = [...requests.routes].map(([route, { byStatus, ms }]) => {
    const count = [...byStatus.values()].reduce((sum, each) => sum + each, 0);
    const meanMs = Math.round((ms / count) * 1000) / 1000;
    return { route, count, meanMs, byStatus: Object.fromEntries(byStatus) };
  });
  return { ...requests.totals(), routes };
}
