import { describe, expect, it } from 'vitest';
import { deleteLead, updateLead } from '#schemas/leads.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { drainWork } from '#tests/support/work.ts';
import { formSetup, hiddenValue, openPage, sendForm, sendJson } from './setup.ts';

waitForNobody();

const world = await formSetup();

describe('submissions of one address at the same time', () => {
  it('create one lead with an activity each', async () => {
    const fresh = await formSetup();
    const webhook = await storeWebhook(fresh.owner.organizationId);
    const form = await fresh.newForm();
    const email = freshEmail();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        sendJson(form.code, { email, message: `Message ${index}` }),
      ),
    );

    expect([...new Set(answers.map(({ status }) => status))]).toEqual([200]);
    const leads = await fresh.leadsWithActivities();
    expect(leads).toHaveLength(1);
    const messages = leads[0].activities.map(
      ({ metadata }: { metadata: { message: string } }) => metadata.message,
    );
    expect(new Set(messages).size).toBe(50);
    expect(messages).toHaveLength(50);
    expect(await fresh.submissionsOf(form.id)).toBe(50);
    await drainWork();
    await drainWork();
    const types = (await receivedEvents(webhook.receiver)).map(({ type }) => type);
    expect(types.toSorted()).toEqual(['contact.created', 'lead.created']);
  });

  it('work with concurrent changes and the deletion of the lead', async () => {
    const form = await world.newForm();
    const email = freshEmail();
    await sendJson(form.code, { email });
    const [lead] = await world.leadsWithActivities();
    const params = { lead_id: lead.id };
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => sendJson(form.code, { email })),
      world.ask(updateLead, { params, body: { value: 5 } }),
      world.ask(deleteLead, { params }),
    ]);

    expect(answers.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await world.leadsWithActivities()).length).toBeLessThanOrEqual(1);
    expect(await world.submissionsOf(form.id)).toBe(11);
  });
});

describe('a submission that crashed', () => {
  it('is recorded once when the page is sent again', async () => {
    const fresh = await formSetup();
    const form = await fresh.newForm();
    const measured = await untilDeath({ at: 'a write', nth: 100, when: 'before' }, () =>
      sendForm(form.code, { email: freshEmail() }),
    );
    expect(measured.writes).toBeGreaterThan(0);
    const deaths = deathsOf(measured.writes);
    for (const death of deaths) {
      const email = freshEmail();
      const id = hiddenValue(await openPage(form.code), 'submission-id');
      const send = () => sendForm(form.code, { email, message: 'Once', 'submission-id': id });
      const lived = await untilDeath(death, send);
      const again = await send();

      expect([lived.hasDied, again.status]).toEqual([true, 200]);
      const leads = await fresh.leadsWithActivities();
      const own = leads.filter(({ contact }) => contact.email === email);
      expect(own).toMatchObject([{ activities: [{ metadata: { message: 'Once' } }] }]);
      expect(own[0].activities).toHaveLength(1);
    }
    expect(await fresh.submissionsOf(form.id)).toBe(deaths.length + 1);
  });
});
