import { hourMs } from '#lib/platform/clock.ts';
import { readMetrics, sumMetrics } from '#lib/platform/metric-store/read-metrics.ts';
import { recordRequest } from '#lib/platform/metrics/buffer.ts';

/** Returns a different time for each test, at which nothing else happens. */
let minutesAgo = 24 * 60 * 20;

export function quietTime(): number {
  minutesAgo -= 24 * 60;
  const moment = Date.now() - minutesAgo * 60_000;

  return moment - (moment % hourMs);
}

export const route = 'GET /leads/{organization_id}/{lead_id}';

export function answer(durationMs: number, statusCode = 200, times = 1): void {
  for (let time = 0; time < times; time += 1) {
    recordRequest({ route, statusCode, durationMs, bytes: 100 });
  }
}

export async function metricsAt(ms: number) {
  return sumMetrics(await readMetrics('1m', ms, ms + 59_999));
}
