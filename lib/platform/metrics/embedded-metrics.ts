import { now } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { logger, metricsLogger } from '#lib/platform/log/logger.ts';

export type MetricUnit = 'Count' | 'Milliseconds' | 'Seconds';
export type Metric = { readonly unit: MetricUnit; readonly value: number };
type Metrics = Readonly<Record<string, Metric>>;
type Dimensions = Readonly<Record<string, string>>;

const namespace = 'SocialLeads';

/** Errors that nobody would notice without an alarm. Each has its own metric and alarm. */
export const alarmingErrors = [
  'LostWork',
  'AgentHandedOver',
  'IncidentOpened',
  'RateLimitUncounted',
  'RefillCheckFailed',
  'SecretUnreadable',
  'SessionsNotEnded',
  'UnreadableEvent',
] as const;

export type AlarmingError = (typeof alarmingErrors)[number];

/**
 * Logs metrics in CloudWatch's embedded metric format, which needs no API call and no permission.
 * Each combination of dimensions is billed, so most metrics have only the stage.
 */
export function emitMetrics(metrics: Metrics, dimensions: Dimensions = {}): void {
  metricsLogger.info('metrics', embedded(metrics, dimensions));
}

/** Logs an error and emits its metric, which raises the alarm of the same name. */
export function logAlarmingError(
  error: AlarmingError,
  message: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  logger.error(message, { ...fields, ...embedded({ [error]: { unit: 'Count', value: 1 } }) });
}

function embedded(metrics: Metrics, dimensions: Dimensions = {}): Record<string, unknown> {
  const named = Object.entries(metrics);
  const all = { Stage: config.stage, ...dimensions };

  return {
    _aws: {
      Timestamp: now(),
      CloudWatchMetrics: [
        {
          Namespace: namespace,
          Dimensions: [Object.keys(all)],
          Metrics: named.map(([Name, { unit }]) => ({ Name, Unit: unit })),
        },
      ],
    },
    ...all,
    ...Object.fromEntries(named.map(([name, { value }]) => [name, value])),
  };
}
