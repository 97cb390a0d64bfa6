import table from '#lib/platform/db/table-definition.json' with { type: 'json' };
import { type AlarmingError, alarmingErrors } from '#lib/platform/metrics/embedded-metrics.ts';
import { type GeneratedFile, generatedNotice } from './generated-file.ts';
import { pascalCase } from './pascal-case.ts';
import { deadLetterQueueLogicalId, queueLogicalId } from './queues-yml.ts';
import type { Registry } from './registry.ts';
import { intervalSeconds } from './schedule.ts';

/** CloudWatch's limit of metrics per alarm. */
const metricsPerAlarm = 10;
const defaultPeriodSeconds = 300;
/** Clients retry, so a few throttled requests are harmless. */
const harmlessThrottles = 100;

type Metric = {
  readonly namespace: string;
  readonly name: string;
  readonly stat: 'Maximum' | 'Sum';
  /** Values are YAML. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly label?: string;
};

type Alarm = {
  readonly logicalId: string;
  /** The email of the alarm contains this text and the link to the runbook. */
  readonly description: string;
  /** The anchor of a heading in docs/operations.md. */
  readonly runbook: string;
  readonly metrics: readonly Metric[];
  readonly threshold: number;
  readonly periodSeconds?: number;
  /** Also raises the alarm if the sum is below the threshold, or missing. */
  readonly isHeartbeat?: boolean;
};

/**
 * Generates the alarms for everything that the registry declares. An alarm sends an email only when
 * its state changes, so each queue, job, index and error has its own alarm. Otherwise, the first
 * problem would hide later ones. Only failing functions share alarms, because their dead letters
 * and missing heartbeats also raise alarms.
 */
export function generateAlarmsYml(registry: Registry): readonly GeneratedFile[] {
  const alarms = [
    ...deadLetterAlarms(registry),
    ...ageAlarms(registry),
    ...heartbeatAlarms(registry),
    ...failureAlarms(registry),
    ...indexAlarms(),
    ...alarmingErrors.map(errorAlarm),
  ];

  return [
    {
      path: 'functions/alarms.yml',
      content: `${generatedNotice}\nResources:\n${alarms.map(alarmLines).join('\n')}`,
    },
  ];
}

function deadLetterAlarms({ workers }: Registry): readonly Alarm[] {
  return workers.map(({ name }) => ({
    logicalId: `${pascalCase(name)}DeadLettersAlarm`,
    description: `Work failed too often and is in the dead-letter queue of ${name}.`,
    runbook: 'dead-letters',
    metrics: [queueMetric('ApproximateNumberOfMessagesVisible', deadLetterQueueLogicalId(name))],
    threshold: 0,
  }));
}

function ageAlarms({ workers }: Registry): readonly Alarm[] {
  return workers.flatMap(({ name, alarmAfterSeconds }) =>
    alarmAfterSeconds === undefined
      ? []
      : [
          {
            logicalId: `${pascalCase(name)}AgeAlarm`,
            description: `Work has been waiting in the queue ${name} for more than ${alarmAfterSeconds} seconds.`,
            runbook: 'delayed-queues',
            metrics: [queueMetric('ApproximateAgeOfOldestMessage', queueLogicalId(name))],
            threshold: alarmAfterSeconds,
          },
        ],
  );
}

function queueMetric(name: string, logicalId: string): Metric {
  const QueueName = `{ Fn::GetAtt: [${logicalId}, QueueName] }`;

  return { namespace: 'AWS/SQS', name, stat: 'Maximum', dimensions: { QueueName } };
}

/** Two runs may fail without an alarm, because jobs resume where they stopped. */
function heartbeatAlarms({ jobs }: Registry): readonly Alarm[] {
  return jobs.map(({ name, schedule }) => {
    const periodSeconds = Math.max(600, 3 * intervalSeconds(schedule));

    return {
      logicalId: `${pascalCase(name)}HeartbeatAlarm`,
      description: `The job ${name} has not finished a run for ${periodSeconds / 60} minutes.`,
      runbook: 'silent-jobs',
      metrics: [ownMetric('JobRuns', { Job: name })],
      threshold: 1,
      periodSeconds,
      isHeartbeat: true,
    };
  });
}

function ownMetric(name: string, dimensions: Readonly<Record<string, string>> = {}): Metric {
  return {
    namespace: 'SocialLeads',
    name,
    stat: 'Sum',
    dimensions: { Stage: `\${sls:stage}`, ...dimensions },
  };
}

function failureAlarms({ workers, jobs }: Registry): readonly Alarm[] {
  const metrics = [...workers, ...jobs].map(
    ({ name }): Metric => ({
      label: name,
      namespace: 'AWS/Lambda',
      name: 'Errors',
      stat: 'Sum',
      dimensions: { FunctionName: `social-leads-\${sls:stage}-${name}` },
    }),
  );

  const alarms = Math.ceil(metrics.length / metricsPerAlarm);
  const share = Math.ceil(metrics.length / alarms);

  return Array.from({ length: alarms }, (_, index) => {
    const watched = metrics.slice(index * share, (index + 1) * share);
    const names = watched.map(({ label }) => label).join(', ');

    return {
      logicalId: `BackgroundFailuresAlarm${index + 1}`,
      description: `A worker or job failed as a whole, one of: ${names}.`,
      runbook: 'alarms',
      metrics: watched,
      threshold: 0,
    };
  });
}

/** The metrics of the table do not include those of its indexes. */
function indexAlarms(): readonly Alarm[] {
  return table.GlobalSecondaryIndexes.map(({ IndexName: index }) => ({
    logicalId: `${pascalCase(index)}IndexThrottlesAlarm`,
    description: `DynamoDB throttles the index ${index}: a partition exceeds its throughput limit.`,
    runbook: 'throttling',
    metrics: ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
      (name): Metric => ({
        label: name,
        namespace: 'AWS/DynamoDB',
        name,
        stat: 'Sum',
        dimensions: { TableName: `$\{param:tableName}`, GlobalSecondaryIndexName: index },
      }),
    ),
    threshold: harmlessThrottles,
  }));
}

const errorTexts: Readonly<Record<AlarmingError, Pick<Alarm, 'description' | 'runbook'>>> = {
  LostWork: {
    description: 'Work was given up or lost. It will not be tried again.',
    runbook: 'lost-work',
  },
  AgentHandedOver: {
    description: 'Agents do not answer: the AI service failed, and people have to take over.',
    runbook: 'the-ai-service',
  },
  IncidentOpened: {
    description: 'A probe failed and opened a public incident.',
    runbook: 'incidents-and-maintenance',
  },
  RateLimitUncounted: {
    description: 'A rate limit could not be counted, so requests are rejected or not limited.',
    runbook: 'limits',
  },
  RefillCheckFailed: {
    description: 'A balance could not be checked for a due credit refill.',
    runbook: 'payments',
  },
  SecretUnreadable: {
    description: 'The secret cannot be read. Running instances use the version they have.',
    runbook: 'the-secret',
  },
  SessionsNotEnded: {
    description: 'Sessions may have outlived a password change.',
    runbook: 'lost-work',
  },
  UnreadableEvent: {
    description: 'A network sent events or comments in an unknown form. They are lost.',
    runbook: 'network-events',
  },
};

function errorAlarm(error: AlarmingError): Alarm {
  return {
    ...errorTexts[error],
    logicalId: `${error}Alarm`,
    metrics: [ownMetric(error)],
    threshold: 0,
  };
}

function alarmLines(alarm: Alarm): string {
  const { logicalId, description, runbook, threshold, isHeartbeat = false } = alarm;

  return `  ${logicalId}:
    Type: AWS::CloudWatch::Alarm
    Properties:
      AlarmDescription: "${description} Runbook: docs/operations.md#${runbook}"
      ComparisonOperator: ${isHeartbeat ? 'LessThanThreshold' : 'GreaterThanThreshold'}
      Threshold: ${threshold}
      EvaluationPeriods: 1
      TreatMissingData: ${isHeartbeat ? 'breaching' : 'notBreaching'}
      AlarmActions:
        - Ref: AlarmTopic
${measureLines(alarm)}`;
}

function measureLines({ metrics, periodSeconds = defaultPeriodSeconds }: Alarm): string {
  const [metric, ...others] = metrics;
  if (metric && others.length === 0) {
    return `      Namespace: ${metric.namespace}
      MetricName: ${metric.name}
      Statistic: ${metric.stat}
      Period: ${periodSeconds}
${dimensionLines(metric, '      ')}`;
  }

  return `      Metrics:
        - Id: total
          Expression: SUM(METRICS())
          Label: Total
${metrics.map((one, index) => metricLines(one, index, periodSeconds)).join('')}`;
}

function metricLines(metric: Metric, index: number, periodSeconds: number): string {
  return `        - Id: metric${index}
          Label: ${metric.label}
          ReturnData: false
          MetricStat:
            Period: ${periodSeconds}
            Stat: ${metric.stat}
            Metric:
              Namespace: ${metric.namespace}
              MetricName: ${metric.name}
${dimensionLines(metric, '              ')}`;
}

function dimensionLines({ dimensions }: Metric, indent: string): string {
  const entries = Object.entries(dimensions).map(
    ([name, value]) => `${indent}  - Name: ${name}\n${indent}    Value: ${value}\n`,
  );

  return `${indent}Dimensions:\n${entries.join('')}`;
}
