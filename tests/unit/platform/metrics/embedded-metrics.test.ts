// Runs in a separate process: the log level is read when the logger is created
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';

vi.stubEnv('LOG_LEVEL', 'ERROR');
vi.stubEnv('STAGE', 'test');
vi.resetModules();
const { logger, metricsLogger } = await import('#lib/platform/log/logger.ts');
const { emitMetrics, logAlarmingError } = await import('#lib/platform/metrics/embedded-metrics.ts');
const { job } = await import('#lib/platform/work/job.ts');

const lines: Record<string, unknown>[] = [];
const stdout = new Writable({
  write: (chunk, _, done) => {
    lines.push(JSON.parse(String(chunk)));
    done();
  },
});
for (const one of [logger, metricsLogger]) {
  Reflect.set(one, 'console', new Console({ stdout, stderr: stdout }));
}

function written(action: () => void): readonly Record<string, unknown>[] {
  lines.length = 0;
  action();

  return [...lines];
}

const metricOf = (name: string, dimensions: readonly string[]) => [
  {
    Namespace: 'SocialLeads',
    Dimensions: [dimensions],
    Metrics: [{ Name: name, Unit: 'Count' }],
  },
];

describe('with LOG_LEVEL=ERROR', () => {
  it('writes metrics although it writes no other information', () => {
    expect(written(() => logger.info('request'))).toEqual([]);
    expect(written(() => emitMetrics({ Requests: { unit: 'Count', value: 3 } }))).toMatchObject([
      {
        message: 'metrics',
        Stage: 'test',
        Requests: 3,
        _aws: { CloudWatchMetrics: metricOf('Requests', ['Stage']) },
      },
    ]);
  });

  it('counts an alarming error in the line of the error', () => {
    expect(
      written(() => logAlarmingError('LostWork', 'It is lost', { kind: 'mail' })),
    ).toMatchObject([
      {
        level: 'ERROR',
        message: 'It is lost',
        kind: 'mail',
        Stage: 'test',
        LostWork: 1,
        _aws: { CloudWatchMetrics: metricOf('LostWork', ['Stage']) },
      },
    ]);
  });

  it('emits the heartbeat of a job that succeeded, and none of one that failed', async () => {
    lines.length = 0;
    const failing = job('tokenRefresh', async () => {
      throw new Error('It failed');
    });

    expect(await job('dueWork', async (sent: number) => ({ sent }))(2)).toEqual({ sent: 2 });
    await expect(failing()).rejects.toThrow('It failed');

    expect(lines).toMatchObject([
      {
        Stage: 'test',
        Job: 'due-work',
        JobRuns: 1,
        _aws: { CloudWatchMetrics: metricOf('JobRuns', ['Stage', 'Job']) },
      },
    ]);
  });
});
