import { describe, expect, it } from 'vitest';
import { generateAlarmsYml } from '#scripts/build/generate/alarms-yml.ts';
import { registry } from '#scripts/build/generate/registry.ts';

const content = generateAlarmsYml(registry)
  .map((file) => file.content)
  .join('');

/** The alarms of one kind, as YAML blocks. */
const alarmsOf = (kind: string) =>
  content.split(/\n(?= {2}\w+Alarm\d+:)/).filter((part) => part.startsWith(`  ${kind}Alarm`));

const watched = (kind: string) =>
  alarmsOf(kind).flatMap((alarm) =>
    [...alarm.matchAll(/Label: (\S+)\n {10}ReturnData/g)].map(([, name]) => name),
  );

describe('generateAlarmsYml', () => {
  it('watches dead letters of all workers and failures of all workers and jobs', () => {
    const workers = registry.workers.map(({ name }) => name);
    const jobs = registry.jobs.map(({ name }) => name);

    expect(watched('DeadLetters')).toEqual(workers);
    expect(watched('BackgroundFailures')).toEqual([...workers, ...jobs]);
  });

  it('alarms when a customer event has waited for five minutes', () => {
    const [alarm] = alarmsOf('InboundAge');

    expect(watched('InboundAge')).toEqual(['inbound-events', 'reply-planning']);
    expect(alarm).toContain('MetricName: ApproximateAgeOfOldestMessage');
    expect(alarm).toContain('Expression: MAX(METRICS())');
    expect(alarm).toContain('Threshold: 300');
  });

  it('uses at most ten metrics per alarm, the CloudWatch limit', () => {
    for (const alarm of content.split('Type: AWS::CloudWatch::Alarm').slice(1)) {
      expect(alarm.match(/MetricStat:/g)?.length).toBeLessThanOrEqual(10);
    }
  });
});
