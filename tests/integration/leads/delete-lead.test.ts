import { describe, expect, it } from 'vitest';
import { deleteLead, getLead, getLeadStats, moveLeadStage } from '#schemas/leads.ts';
import { overtake } from '#tests/support/overtake.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { leadSetup } from './setup.ts';

const notFound = [404, "Lead not found or you don't have access"];

describe('deleting a lead', () => {
  it('subtracts a lead once if its status changes concurrently', async () => {
    const fresh = await leadSetup();
    const { id } = await fresh.newLead({ value: 10 });
    const params = { lead_id: id };
    const lose = { params, body: { stageId: fresh.stage('Lost') } };
    await overtake({ begin: () => fresh.ask(deleteLead, { params }) }, () =>
      fresh.ask(moveLeadStage, lose),
    );

    const { stats } = (await fresh.ask(getLeadStats)).body;
    expect(stats).toMatchObject({ totalLeads: 0, newLeads: 0, lostLeads: 0, totalValue: 0 });
  });

  it('removes it and all of its data, and updates the counts', async () => {
    const fresh = await leadSetup();
    const { id } = await fresh.newLead({ value: 10 });
    const params = { lead_id: id };
    await fresh.ask(moveLeadStage, { params, body: { stageId: fresh.stage('Lost') } });
    expect((await fresh.ask(deleteLead, { params })).status).toBe(200);
    for (const gone of [getLead, deleteLead]) {
      const answer = await fresh.ask(gone, { params });
      expect([answer.status, answer.body.message]).toEqual(notFound);
    }
    const { stats } = (await fresh.ask(getLeadStats)).body;
    expect(stats).toMatchObject({ totalLeads: 0, lostLeads: 0, totalValue: 0 });
    await drainWork();
    const left = (await storedItems()).filter(({ pk }) => String(pk).includes(`LEAD#${id}`));
    expect(left).toEqual([]);
  });
});
