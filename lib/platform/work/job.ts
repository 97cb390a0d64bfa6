import { emitMetrics } from '#lib/platform/metrics/embedded-metrics.ts';
import { type JobKind, jobDefinitions } from '#schemas/messages.ts';

/**
 * Creates the Lambda handler of a scheduled job. After each successful run, it emits a heartbeat.
 * An alarm reports missing heartbeats.
 */
export function job<Arguments extends readonly unknown[], Report>(
  kind: JobKind,
  run: (...given: Arguments) => Promise<Report>,
): (...given: Arguments) => Promise<Report> {
  return async (...given) => {
    const report = await run(...given);
    emitMetrics({ JobRuns: { unit: 'Count', value: 1 } }, { Job: jobDefinitions[kind].name });

    return report;
  };
}
