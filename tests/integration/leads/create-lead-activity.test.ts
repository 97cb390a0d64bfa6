import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { createLeadActivity, getLead } from '#schemas/leads.ts';
import { depth } from '#tests/support/depth.ts';
import { storedItems } from '#tests/support/table.ts';
import { leadSetup } from './setup.ts';

const notFound = [404, "Lead not found or you don't have access"];

const world = await leadSetup();

describe('the activity log of a lead', () => {
  const activities = depth(40, 10_000);

  it('does not make any item larger, however many changes are recorded', async () => {
    const { id } = await world.newLead();
    const params = { lead_id: id };
    const sizes = async () => {
      const items = await storedItems(keys.lead(world.owner.organizationId, id).pk);

      return new Set(
        items.map((item) => `${item.sk.split('#')[0]} ${JSON.stringify(item).length}`),
      );
    };
    const record = () =>
      world.ask(createLeadActivity, { params, body: { type: 'NOTE', description: 'Called' } });
    await record();
    const before = await sizes();
    for (let recorded = 0; recorded < activities; recorded += 40) {
      await Promise.all(Array.from({ length: 40 }, record));
    }

    expect(await sizes()).toEqual(before);
  });
});

describe('adding an activity', () => {
  it('puts it first in the lead\u2019s list and rejects reserved types', async () => {
    const { id } = await world.newLead();
    const params = { lead_id: id };
    const body = { type: 'PHONE_CALL', description: 'Called', metadata: { seconds: 120 } };
    const recorded = await world.ask(createLeadActivity, { params, body });
    expect(recorded.status).toBe(201);
    expect(recorded.body.activity).toMatchObject({ ...body, leadId: id });
    const { activities } = (await world.ask(getLead, { params })).body.lead;
    expect(activities).toEqual([recorded.body.activity]);
    const own = await world.ask(createLeadActivity, {
      params,
      body: { ...body, type: 'STAGE_CHANGED' },
    });
    expect(own.status).toBe(400);
    const tooLarge = Number.MAX_SAFE_INTEGER + 1;
    for (const metadata of [
      { '': 1 },
      { a: { '': 1 } },
      { a: [1e300] },
      { a: tooLarge },
      { a: -tooLarge },
      { a: 'x\u0000' },
    ]) {
      const unstorable = await world.ask(createLeadActivity, {
        params,
        body: { ...body, metadata },
      });
      expect([unstorable.status, unstorable.body.message]).toEqual([
        400,
        [expect.stringMatching(/^metadata /)],
      ]);
    }
    const nowhere = await world.ask(createLeadActivity, {
      params: { lead_id: randomUUID() },
      body,
    });
    expect([nowhere.status, nowhere.body.message]).toEqual(notFound);
  });

  it('keeps every exactly representable number and any name except reserved ones', async () => {
    const { id } = await world.newLead();
    const metadata = {
      most: Number.MAX_SAFE_INTEGER,
      least: Number.MIN_SAFE_INTEGER,
      small: 1e-130,
      none: 0,
      length: { name: 'Set', size: [1] },
      hasOwnProperty: true,
    };
    const params = { lead_id: id };
    const body = { type: 'NOTE', description: 'Figures', metadata };
    expect((await world.ask(createLeadActivity, { params, body })).status).toBe(201);
    expect((await world.ask(getLead, { params })).body.lead.activities[0].metadata).toEqual(
      metadata,
    );
  });
});
