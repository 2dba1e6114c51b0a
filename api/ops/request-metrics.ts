import { Counter, type Histogram, type Registry } from 'prom-client';
import { durationBounds, type RequestCounts, type RouteCounts } from './request-counts.ts';

const DURATION = 'dao_indexer_http_request_duration_seconds';

/** Adds what was counted of the requests to the API, read when the metrics are. */
export function addRequestMetrics(registry: Registry, { routes }: RequestCounts): void {
  const requests = new Counter({
    name: 'dao_indexer_http_requests_total',
    help: 'Requests that the API answered, by route and HTTP status, in requests',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      requests.reset();
      for (const [route, { byStatus }] of routes)
        for (const [status, count] of byStatus) requests.inc({ route, status }, count);
    },
  });
  // prom-client's histogram counts by itself alone; the registry asks of a metric its name and `get`.
  registry.registerMetric({
    name: DURATION,
    get: () =>
      Promise.resolve({
        name: DURATION,
        help: 'Time from the request to the answer of the API, by route, in seconds',
        type: 'histogram',
        values: [...routes].flatMap(([route, counts]) => histogramOf(route, counts)),
      }),
  } as unknown as Histogram);
}

function histogramOf(route: string, { byDuration, ms }: RouteCounts): object[] {
  let below = 0;
  const buckets = byDuration.map((count, index) => {
    const bound = durationBounds[index];
    const le = bound === undefined ? '+Inf' : String(bound / 1000);
    return { metricName: `${DURATION}_bucket`, labels: { route, le }, value: (below += count) };
  });
  return [
    ...buckets,
    { metricName: `${DURATION}_sum`, labels: { route }, value: ms / 1000 },
    { metricName: `${DURATION}_count`, labels: { route }, value: below },
  ];
}
