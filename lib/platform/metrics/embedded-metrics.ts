import { now } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { logger } from '#lib/platform/log/logger.ts';

export type MetricUnit = 'Count' | 'Milliseconds' | 'Seconds';
export type Metric = { readonly unit: MetricUnit; readonly value: number };

const namespace = 'SocialLeads';

/**
 * Logs metrics in CloudWatch's embedded metric format, which needs no API call and no permission.
 * The stage is their only dimension, because each combination of dimensions is billed.
 */
export function emitMetrics(metrics: Readonly<Record<string, Metric>>): void {
  const named = Object.entries(metrics);
  logger.info('metrics', {
    _aws: {
      Timestamp: now(),
      CloudWatchMetrics: [
        {
          Namespace: namespace,
          Dimensions: [['Stage']],
          Metrics: named.map(([Name, { unit }]) => ({ Name, Unit: unit })),
        },
      ],
    },
    Stage: config.stage,
    ...Object.fromEntries(named.map(([name, { value }]) => [name, value])),
  });
}
