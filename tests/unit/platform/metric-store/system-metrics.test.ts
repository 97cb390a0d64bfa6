import { describe, expect, it } from 'vitest';
import { readSystemMetrics } from '#lib/platform/metric-store/system-metrics.ts';

describe('readSystemMetrics', () => {
  it('returns percentages between 0 and 100 and never more used than available', async () => {
    const { cpu, memory, disk, network } = await readSystemMetrics();

    expect(cpu.cores).toBeGreaterThan(0);
    expect(cpu.load).toHaveLength(3);
    for (const share of [cpu.usage ?? 0, memory.percentage, disk.percentage]) {
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(100);
    }
    expect(memory.used).toBeLessThanOrEqual(memory.total ?? 0);
    expect(disk.used).toBeLessThanOrEqual(disk.total ?? 0);
    for (const counter of Object.values(network)) {
      expect(counter === null || counter >= 0).toBe(true);
    }
  });
});
