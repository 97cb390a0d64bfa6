import { expect, it } from 'vitest';
import { getLeadSourceAnalytics, getLeadStats, updateLead } from '#schemas/leads.ts';
import { leadSetup } from './setup.ts';

it('getLeadSourceAnalytics returns rates as percentages with two decimals, values in cents, and sources by count', async () => {
  const world = await leadSetup();
  const [first] = [
    await world.newLead({ value: 100 }),
    await world.newLead({ value: 50 }),
    await world.newLead({ source: 'chat' }),
  ];
  await world.ask(updateLead, { params: { lead_id: first.id }, body: { status: 'CONVERTED' } });
  expect((await world.ask(getLeadStats)).body.stats).toMatchObject({
    totalLeads: 3,
    conversionRate: 33.33,
    averageValue: 50,
    totalValue: 150,
  });
  expect((await world.ask(getLeadSourceAnalytics)).body.sources).toEqual([
    { source: 'website', count: 2, conversionRate: 50, averageValue: 75, totalValue: 150 },
    { source: 'chat', count: 1, conversionRate: 0, averageValue: 0, totalValue: 0 },
  ]);
});
