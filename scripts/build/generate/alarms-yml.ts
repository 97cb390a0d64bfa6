import { type GeneratedFile, generatedNotice } from './generated-file.ts';
import { deadLetterQueueLogicalId, queueLogicalId } from './queues-yml.ts';
import type { Registry } from './registry.ts';

/** CloudWatch's limit of metrics per alarm. */
const metricsPerAlarm = 10;

/** A customer's message of this age is delayed by us and is not just waiting for its turn. */
const oldestEventSeconds = 300;

type Alarm = {
  readonly name: string;
  readonly description: string;
  readonly expression: 'SUM(METRICS())' | 'MAX(METRICS())';
  readonly threshold: number;
};

type Metric = {
  readonly label: string;
  readonly namespace: string;
  readonly name: string;
  readonly stat: 'Maximum' | 'Sum';
  readonly dimension: string;
  readonly value: string;
};

/**
 * Alarms for failures that no caller would notice: messages in dead-letter queues, failing workers
 * and jobs, and delayed customer events in ordered queues. Each alarm covers ten metrics, because
 * one alarm per metric would take up as many resources as functions do.
 */
export function generateAlarmsYml({ workers, jobs }: Registry): readonly GeneratedFile[] {
  const deadLetters = workers.map(
    ({ name }): Metric => ({
      label: name,
      namespace: 'AWS/SQS',
      name: 'ApproximateNumberOfMessagesVisible',
      stat: 'Maximum',
      dimension: 'QueueName',
      value: `{ Fn::GetAtt: [${deadLetterQueueLogicalId(name)}, QueueName] }`,
    }),
  );
  const failures = [...workers, ...jobs].map(
    ({ name }): Metric => ({
      label: name,
      namespace: 'AWS/Lambda',
      name: 'Errors',
      stat: 'Sum',
      dimension: 'FunctionName',
      value: `social-leads-\${sls:stage}-${name}`,
    }),
  );
  const ages = workers
    .filter(({ inOrder = false }) => inOrder)
    .map(
      ({ name }): Metric => ({
        label: name,
        namespace: 'AWS/SQS',
        name: 'ApproximateAgeOfOldestMessage',
        stat: 'Maximum',
        dimension: 'QueueName',
        value: `{ Fn::GetAtt: [${queueLogicalId(name)}, QueueName] }`,
      }),
    );
  const any = { expression: 'SUM(METRICS())', threshold: 0 } as const;
  const alarms = [
    ...alarmsFor(
      {
        ...any,
        name: 'DeadLetters',
        description: 'Failed messages are in a dead-letter queue.',
      },
      deadLetters,
    ),
    ...alarmsFor(
      { ...any, name: 'BackgroundFailures', description: 'A worker or job failed.' },
      failures,
    ),
    ...alarmsFor(
      {
        name: 'InboundAge',
        description: 'Customer events are waiting too long to be processed.',
        expression: 'MAX(METRICS())',
        threshold: oldestEventSeconds,
      },
      ages,
    ),
  ];

  return [
    {
      path: 'functions/alarms.yml',
      content: `${generatedNotice}\nResources:\n${alarms.join('\n')}`,
    },
  ];
}

function alarmsFor(
  { name, description, expression, threshold }: Alarm,
  metrics: readonly Metric[],
): readonly string[] {
  const count = Math.ceil(metrics.length / metricsPerAlarm);

  return Array.from({ length: count }, (_, index) => {
    const watched = metrics.slice(index * metricsPerAlarm, (index + 1) * metricsPerAlarm);

    return `  ${name}Alarm${index + 1}:
    Type: AWS::CloudWatch::Alarm
    Properties:
      AlarmDescription: ${description}
      ComparisonOperator: GreaterThanThreshold
      Threshold: ${threshold}
      EvaluationPeriods: 1
      TreatMissingData: notBreaching
      AlarmActions:
        - Ref: AlarmTopic
      Metrics:
        - Id: total
          Expression: ${expression}
          Label: ${description}
${watched.map(metricLines).join('')}`;
  });
}

function metricLines(metric: Metric, index: number): string {
  return `        - Id: metric${index}
          Label: ${metric.label}
          ReturnData: false
          MetricStat:
            Period: 300
            Stat: ${metric.stat}
            Metric:
              Namespace: ${metric.namespace}
              MetricName: ${metric.name}
              Dimensions:
                - Name: ${metric.dimension}
                  Value: ${metric.value}
`;
}
