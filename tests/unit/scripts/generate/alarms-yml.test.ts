import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import table from '#lib/platform/db/table-definition.json' with { type: 'json' };
import { alarmingErrors } from '#lib/platform/metrics/embedded-metrics.ts';
import { generateAlarmsYml } from '#scripts/build/generate/alarms-yml.ts';
import { pascalCase } from '#scripts/build/generate/pascal-case.ts';
import { registry } from '#scripts/build/generate/registry.ts';
import { projectPath } from '#scripts/project.ts';

const content = generateAlarmsYml(registry)
  .map((file) => file.content)
  .join('');

/** Every alarm's YAML by its logical id. */
const alarms = new Map(
  content
    .split(/\n(?= {2}\w+:\n)/)
    .slice(1)
    .map((block) => [/^ {2}(\w+):/.exec(block)?.[1] ?? '', block]),
);

const alarm = (logicalId: string) => alarms.get(logicalId) ?? `no ${logicalId}`;

describe('generateAlarmsYml', () => {
  it.each(registry.workers)('watches the dead letters of $name alone and names it', ({ name }) => {
    const text = alarm(`${pascalCase(name)}DeadLettersAlarm`);

    expect(text).toContain(`is in the dead-letter queue of ${name}.`);
    expect(text).toContain(`Fn::GetAtt: [${pascalCase(name)}DeadLetterQueue, QueueName]`);
    expect(text).toContain('MetricName: ApproximateNumberOfMessagesVisible');
    expect(text).toContain('Threshold: 0');
  });

  it('watches the age of every queue that people wait for', () => {
    const watched = registry.workers.filter(({ name }) =>
      alarms.has(`${pascalCase(name)}AgeAlarm`),
    );

    expect(watched.map(({ name }) => name)).toEqual([
      'mail-delivery',
      'organization-suspension',
      'refill-charge',
      'payment-events',
      'webhook-fan-out',
      'outbound-webhooks',
      'inbound-events',
      'reply-planning',
      'replies',
    ]);
    expect(alarm('InboundEventsAgeAlarm')).toContain('Threshold: 300');
    expect(alarm('InboundEventsAgeAlarm')).toContain('Fn::GetAtt: [InboundEventsQueue, QueueName]');
  });

  it.each([
    ['due-work', 600],
    ['credit-refill', 900],
    ['payment-reconcile', 900],
    ['token-refresh', 2_700],
    ['metrics-snapshot', 10_800],
    ['posts-import', 10_800],
    ['content-publish', 600],
    ['comments-poll', 900],
    ['health-watch', 600],
    ['retention', 10_800],
    ['conversation-closing', 10_800],
  ])('misses the heartbeat of %s after %i seconds', (name, periodSeconds) => {
    const text = alarm(`${pascalCase(name)}HeartbeatAlarm`);

    expect(text).toContain('MetricName: JobRuns');
    expect(text).toContain(`Name: Job\n          Value: ${name}`);
    expect(text).toContain(`Period: ${periodSeconds}`);
    expect(text).toContain('ComparisonOperator: LessThanThreshold');
    expect(text).toContain('TreatMissingData: breaching');
  });

  it('misses the heartbeat of every job', () => {
    const silent = registry.jobs.filter(
      ({ name }) => !alarms.has(`${pascalCase(name)}HeartbeatAlarm`),
    );

    expect(silent).toEqual([]);
  });

  it.each(table.GlobalSecondaryIndexes)('watches the index $IndexName', ({ IndexName: index }) => {
    const text = alarm(`${pascalCase(index)}IndexThrottlesAlarm`);

    expect(text.match(/GlobalSecondaryIndexName\n +Value: (\w+)/g)).toHaveLength(2);
    expect(text).toContain(`Value: ${index}\n`);
    expect(text).toMatch(/ReadThrottleEvents[\s\S]*WriteThrottleEvents/);
  });

  it.each(alarmingErrors)('raises an alarm at the first %s', (error) => {
    const text = alarm(`${error}Alarm`);

    expect(text).toContain(`Namespace: SocialLeads\n      MetricName: ${error}\n`);
    expect(text).toContain('Threshold: 0');
  });

  it('watches failures of all workers and jobs', () => {
    const all = [...alarms.values()].filter((text) => text.includes('BackgroundFailuresAlarm'));
    const watched = all.flatMap((text) =>
      [...text.matchAll(/Label: (\S+)\n {10}ReturnData/g)].map(([, name]) => name),
    );

    expect(watched).toEqual([...registry.workers, ...registry.jobs].map(({ name }) => name));
  });

  it('uses at most ten metrics per alarm, the CloudWatch limit', () => {
    for (const text of alarms.values()) {
      expect((text.match(/MetricStat:/g) ?? []).length).toBeLessThanOrEqual(10);
    }
  });
});

/** Error lines that another alarm reports. */
const reportedOtherwise: Readonly<Record<string, string>> = {
  'request failed': 'ApiFailuresAlarm',
  'A piece of work failed and will be tried again': 'RepliesDeadLettersAlarm',
  'A post could not be published': 'PublishingLatenessAlarm',
  'The round of an account was not begun': 'PublishingLatenessAlarm',
};

const sources = ['lib', 'functions']
  .flatMap((folder) =>
    readdirSync(projectPath(folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${folder}/${path}`),
  )
  .map((path) => readFileSync(projectPath(path), 'utf8'));

/** The messages of all calls of a function, which are string literals. */
function messagesOf(call: string): readonly string[] {
  const pattern = new RegExp(`${call}\\(\\s*(?:'\\w+',\\s*)?'([^']+)'`, 'g');

  return sources.flatMap((source) => [...source.matchAll(pattern)].map(([, text = '']) => text));
}

describe('an error in the log', () => {
  const serverless = readFileSync(projectPath('serverless.yml'), 'utf8');
  const operations = readFileSync(projectPath('docs/operations.md'), 'utf8');

  it('has a metric with an alarm, or is reported by another alarm', () => {
    expect(messagesOf(String.raw`logger\.(?:error|critical)`).toSorted()).toEqual(
      Object.keys(reportedOtherwise).toSorted(),
    );
    for (const logicalId of Object.values(reportedOtherwise)) {
      expect(content + serverless).toMatch(new RegExp(`^ +${logicalId}:$`, 'm'));
    }
  });

  it('with a metric is described in the runbook', () => {
    const messages = messagesOf('logAlarmingError');

    expect(messages.length).toBeGreaterThanOrEqual(alarmingErrors.length);
    for (const message of messages) {
      expect(operations).toContain(message);
    }
  });
});
