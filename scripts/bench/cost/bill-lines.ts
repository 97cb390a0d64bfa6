import { readFileSync } from 'node:fs';
import { generateAlarmsYml } from '#scripts/build/generate/alarms-yml.ts';
import { registry } from '#scripts/build/generate/registry.ts';
import { separateAreas } from '#scripts/build/package/split-gateway.ts';
import { projectPath } from '#scripts/project.ts';
import { usEast as prices } from './prices.ts';
import { days } from './table-cost.ts';

export type MonthlyLine = {
  readonly what: string;
  readonly quantity: number;
  readonly unit: string;
  readonly usd: number;
};

export function monthlyLine(
  what: string,
  quantity: number,
  unit: string,
  price: number,
): MonthlyLine {
  return { what, quantity, unit, usd: quantity * price };
}

const customMetrics = 4;
/** Lambda polls each queue with five connections, each waiting 20 seconds. */
const pollsPerQueueAndSecond = 5 / 20;

export function pollsPerMonth(queues: number): number {
  return queues * pollsPerQueueAndSecond * days * 86_400;
}

/** Returns the costs that do not depend on usage. */
export function fixedLines(): readonly MonthlyLine[] {
  return [
    monthlyLine('CloudWatch, alarms', alarmMetrics(), 'metrics', prices.alarmMetric),
    monthlyLine('CloudWatch, metrics', customMetrics, 'metrics', prices.customMetric),
    monthlyLine('CloudWatch, dashboard', 1, 'dashboard', prices.dashboard),
    monthlyLine('KMS, Secrets Manager', 1, 'key and secret', prices.keysAndSecret),
  ];
}

/** Counts the metrics of all alarms. Each area with a separate API has a copy of one of them. */
function alarmMetrics(): number {
  const generated = generateAlarmsYml(registry).map(({ content }) => content);
  const definition = readFileSync(projectPath('serverless.yml'), 'utf8');
  const alarms = [...generated, definition].flatMap((text) =>
    text.split('Type: AWS::CloudWatch::Alarm').slice(1),
  );
  const metrics = alarms.map((text) => Math.max(1, text.match(/MetricStat:/g)?.length ?? 0));

  return metrics.reduce((sum, count) => sum + count, separateAreas.length);
}
