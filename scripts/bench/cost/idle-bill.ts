import { jobs, workers } from '#schemas/index.ts';
import type { Golden } from '#scripts/bench/golden/golden.ts';
import { intervalSeconds } from '#scripts/build/generate/schedule.ts';
import { fixedLines, type MonthlyLine, monthlyLine, pollsPerMonth } from './bill-lines.ts';
import { lambdaSeconds } from './lambda-time.ts';
import { logBytesPerCall, usEast as prices } from './prices.ts';
import { days } from './table-cost.ts';

const gb = 1_000_000_000;

/** Calculates the bill of a month in which nobody uses the service: jobs, queues and alarms. */
export function idleBill(golden: Golden): readonly MonthlyLine[] {
  const runs = jobs.map(({ name, schedule }) => ({
    name,
    count: (days * 86_400) / intervalSeconds(schedule),
  }));
  const sum = (of: (name: string) => number) =>
    runs.reduce((total, { name, count }) => total + of(name) * count, 0);
  const units = (name: string) => golden.functions[name] ?? {};
  const calls = sum(() => 1);

  return [
    monthlyLine(
      'DynamoDB, writes of jobs',
      sum((name) => units(name).writeUnits ?? 0),
      'units',
      prices.writeUnits,
    ),
    monthlyLine(
      'DynamoDB, reads of jobs',
      sum((name) => units(name).readUnits ?? 0),
      'units',
      prices.readUnits,
    ),
    monthlyLine(
      'Lambda, time of jobs',
      sum((name) => lambdaSeconds(golden, name)),
      'GB-seconds',
      prices.lambdaGbSecond,
    ),
    monthlyLine('Lambda, calls of jobs', calls, 'calls', prices.lambdaCall),
    monthlyLine(
      'SQS, polling of queues',
      pollsPerMonth(workers.length),
      'calls',
      prices.standardQueueCall,
    ),
    monthlyLine('CloudWatch, logs of jobs', (calls * logBytesPerCall) / gb, 'GB', prices.logGb),
    ...fixedLines(),
  ];
}
