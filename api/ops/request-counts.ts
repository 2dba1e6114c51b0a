/** Upper bounds in milliseconds of the classes that durations are counted in; one more is open. */
export const durationBounds = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1000, 5000] as const;

export interface RouteCounts {
  /** Requests by HTTP status. */
  byStatus: Map<number, number>;
  /** Requests by class of duration, each class for itself. */
  byDuration: number[];
  /** Sum of the durations, in milliseconds. */
  ms: number;
}

/**
 * Requests that the API of this process answered, by route template. Counted here and turned into
 * metrics when these are asked for: prom-client's own counting costs six times as much a request.
 */
export class RequestCounts {
  readonly routes = new Map<string, RouteCounts>();

  /** `route` is undefined where none took the request. */
  count(route: string | undefined, status: number, ms: number): void {
    const counts = this.of(route ?? 'none');
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
    counts.ms += ms;
    let bucket = 0;
    while (bucket < durationBounds.length && ms > (durationBounds[bucket] as number)) bucket++;
    counts.byDuration[bucket] = (counts.byDuration[bucket] as number) + 1;
  }

  /** How many there were, and how many of them failed by our fault. */
  totals(): { total: number; failed: number } {
    let [total, failed] = [0, 0];
    for (const { byStatus } of this.routes.values())
      for (const [status, count] of byStatus) {
        total += count;
        if (status >= 500) failed += count;
      }
    return { total, failed };
  }

  private of(route: string): RouteCounts {
    const found = this.routes.get(route);
    if (found) return found;
    const made = { byStatus: new Map(), byDuration: Array(durationBounds.length + 1).fill(0), ms: 0 };
    this.routes.set(route, made);
    return made;
  }
}
