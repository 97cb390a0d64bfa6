import { afterEach, expect, it } from 'vitest';
import { dayMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { deleteLead, getLeadSourceAnalytics, getLeadStats, updateLead } from '#schemas/leads.ts';
import { updateOrganization } from '#schemas/organizations.ts';
import { leadSetup } from './setup.ts';

afterEach(() => setClock());

it('getLeadStats returns 0 for metrics without data', async () => {
  const { ask } = await leadSetup();
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
    days: null,
  });
  expect((await ask(getLeadSourceAnalytics)).body.sources).toEqual([]);
});

it("getLeadStats counts the leads of each day in the organization's time zone", async () => {
  const { ask, newLead } = await leadSetup();
  // The times of new ids never decrease.
  const [first = '', second = ''] = [1, 2].map((days) => timestamp(days * dayMs).slice(0, 10));
  const daysFrom = async (from: string) =>
    (await ask(getLeadStats, { query: { from, to: second } })).body.stats.days;
  await ask(updateOrganization, { body: { timezone: 'Asia/Kolkata' } });
  setClock(() => Date.parse(`${first}T18:29:00.000Z`));
  const sold = await newLead({ value: 500 });
  const other = await newLead();
  setClock(() => Date.parse(`${first}T18:31:00.000Z`));
  await newLead();
  await ask(updateLead, { params: { lead_id: sold.id }, body: { status: 'CONVERTED' } });

  expect(await daysFrom(first)).toEqual([
    { date: first, leads: 2, converted: 1, valueCents: 500 },
    { date: second, leads: 1, converted: 0, valueCents: 0 },
  ]);
  expect(await daysFrom(second)).toHaveLength(1);
  await ask(updateOrganization, { body: { timezone: 'Pacific/Honolulu' } });
  await ask(deleteLead, { params: { lead_id: other.id } });
  await ask(deleteLead, { params: { lead_id: sold.id } });
  expect(await daysFrom(first)).toEqual([{ date: second, leads: 1, converted: 0, valueCents: 0 }]);
});

it.each([
  { from: '2026-02-01', to: '2026-01-01' },
  { from: '2025-01-01', to: '2026-02-01' },
])('getLeadStats rejects the range from $from to $to', async (query) => {
  const { ask } = await leadSetup();

  expect((await ask(getLeadStats, { query })).status).toBe(400);
});
