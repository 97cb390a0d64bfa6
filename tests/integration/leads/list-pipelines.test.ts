import { describe, expect, it } from 'vitest';
import { listPipelines } from '#schemas/leads.ts';
import { leadSetup } from './setup.ts';

describe('pipelines', () => {
  it('start with the sales pipeline, whose stages map to the statuses with the same names', async () => {
    const { pipelines } = (await (await leadSetup()).ask(listPipelines)).body;
    expect(pipelines).toHaveLength(1);
    expect(pipelines[0]).toMatchObject({ name: 'Sales Pipeline', isDefault: true });
    expect(
      pipelines[0].stages.map((one: Record<string, unknown>) => [one.order, one.name, one.status]),
    ).toEqual([
      [1, 'New', 'NEW'],
      [2, 'Qualified', 'QUALIFIED'],
      [3, 'Contacted', 'CONTACTED'],
      [4, 'Converted', 'CONVERTED'],
      [5, 'Lost', 'LOST'],
    ]);
  });
});
