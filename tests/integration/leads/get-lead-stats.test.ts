import { expect, it } from 'vitest';
import { getLeadSourceAnalytics, getLeadStats } from '#schemas/leads.ts';
import { leadWorld } from './world.ts';

it('returns 0 for metrics without data', async () => {
  const { ask } = await leadWorld();
  expect((await ask(getLeadStats)).body.stats).toEqual({
    totalLeads: 0,
    newLeads: 0,
    qualifiedLeads: 0,
    contactedLeads: 0,
    convertedLeads: 0,
    lostLeads: 0,
    conversionRate: 0,
    averageValue: 0,
    totalValue: 0,
  });
  expect((await ask(getLeadSourceAnalytics)).body.sources).toEqual([]);
});
