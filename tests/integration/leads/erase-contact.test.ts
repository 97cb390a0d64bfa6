import { beforeEach, describe, expect, it } from 'vitest';
import { handler as sweep } from '#functions/jobs/due-work.ts';
import { continueErasure } from '#lib/features/erasure/continue-erasure.ts';
import type { Contact } from '#lib/features/leads/contacts/contacts.ts';
import { hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { newId } from '#lib/platform/ids.ts';
import {
  createContact,
  createLead,
  createLeadWithContact,
  eraseContact,
  getContact,
  listPipelines,
  mergeContacts,
} from '#schemas/leads.ts';
import {
  listOrganizationWebhookDeliveries,
  listOrganizationWebhooks,
  replayOrganizationWebhookDelivery,
} from '#schemas/organization-webhooks.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { recount } from '#scripts/operations/recount/recount.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { overtake } from '#tests/support/overtake.ts';
import { storedItems, storeItem } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { type ErasureSetup, erasureSetup } from './erasure-setup.ts';

let world: ErasureSetup;

waitForNobody();

beforeEach(async () => {
  world = await erasureSetup();
});

const erase = (contactId: string) => world.ask(eraseContact, { params: { contact_id: contactId } });

const nowhere = { items: [], files: [], queues: [], log: [] };

/** Returns the organization's counters that differ from a recount. */
async function wrongCounters() {
  const { TABLE_NAME: tableName = '', DYNAMODB_ENDPOINT: endpoint } = process.env;
  const differences = await recount({ tableName, endpoint });

  return differences.filter(({ key }) => key.pk.includes(world.organizationId));
}

describe('erasing a contact', () => {
  it('removes the person everywhere, and keeps the counters exact', async () => {
    const contactId = await world.fill();
    const { items, files } = await world.finds();
    expect([...new Set(items)].toSorted()).toEqual([
      'ACTIVITY',
      'CHUNK',
      'CLAIM',
      'CONTACT',
      'CONTACT_WORDS',
      'CONVERSATION',
      'CONVERSATION_WORDS',
      'CUSTOMER_OF',
      'GAP',
      'INBOUND_TEXTS',
      'LEAD',
      'LEAD_FACET',
      'LEAD_TAGS',
      'LEAD_TAG_COUNTS',
      'MESSAGE',
      'NOTE',
      'OUTBOX',
      'TRACE',
      'WEBHOOK_DELIVERIES',
    ]);
    expect(files).toHaveLength(1);
    expect(await world.storedFiles()).toHaveLength(2);

    const { status, body } = await erase(contactId);
    await drainWork();

    expect(status).toBe(201);
    expect(await world.finds()).toEqual(nowhere);
    expect(await world.storedFiles()).toEqual([]);
    expect(await wrongCounters()).toEqual([]);
    expect(await world.erasureOf(body.erasure.id)).toEqual({
      id: body.erasure.id,
      status: 'DONE',
      removed: { leads: 2, conversations: 2, messages: 5, files: 1, activities: 7 },
      createdAt: expect.any(String),
      doneAt: expect.any(String),
    });
    expect(await world.conversations()).toEqual([]);
    expect(await world.contacts()).toEqual([]);
  });

  it('finishes after crashes, each one write later than the previous one, everywhere', async () => {
    const contactId = await world.fill();
    const { erasure } = (await erase(contactId)).body;
    const work = { organizationId: world.organizationId, erasureId: erasure.id };
    let crashes = 0;
    for (let hasDied = true; hasDied; crashes += hasDied ? 1 : 0) {
      const death = { at: 'a write', nth: crashes + 1, when: 'after' } as const;
      ({ hasDied } = await untilDeath(death, () => continueErasure(work, () => 300_000)));
    }
    await drainWork();

    expect(crashes).toBeGreaterThan(5);
    expect(await world.finds()).toEqual(nowhere);
    expect(await world.storedFiles()).toEqual([]);
    expect(await wrongCounters()).toEqual([]);
    expect(await world.erasureOf(erasure.id)).toMatchObject({
      status: 'DONE',
      removed: { leads: 2, conversations: 2, messages: 5, files: 1, activities: 7 },
    });
  });

  it.each(['createLead', 'createLeadWithContact'])(
    'gets no lead from an overtaken %s',
    async (kind) => {
      const person = { name: 'Ada', email: freshEmail() };
      const { id } = (await world.ask(createContact, { body: person })).body.contact;
      const { pipelines } = (await world.ask(listPipelines)).body;
      const lead = { pipelineId: pipelines[0].id, source: 'website' };
      const key = keys.contact(world.organizationId, id);
      const begin = () =>
        kind === 'createLead'
          ? world.ask(createLead, { body: { contactId: id, ...lead } })
          : world.ask(createLeadWithContact, { body: { contact: person, ...lead } });
      await overtake({ begin, key }, () => erase(id));

      expect((await get<Contact>(key))?.leadCount).toBe(0);
    },
  );

  it.each(['contact', 'duplicate'])(
    'of a merge leaves the leads if its %s is erased',
    async (erased) => {
      const newContact = async () => {
        const body = { name: 'Ada', email: freshEmail() };

        return (await world.ask(createContact, { body })).body.contact.id;
      };
      const [contactId, duplicateId] = [await newContact(), await newContact()];
      const { pipelines } = (await world.ask(listPipelines)).body;
      const lead = { pipelineId: pipelines[0].id, source: 'website' };
      await world.ask(createLead, { body: { contactId: duplicateId, ...lead } });
      const key = keys.contact(world.organizationId, contactId);
      const params = { contact_id: contactId };
      const begin = () => world.ask(mergeContacts, { params, body: { duplicateId } });
      await overtake({ begin, key }, () => erase(erased === 'contact' ? contactId : duplicateId));

      expect((await get<Contact>(key))?.leadCount).toBe(0);
    },
  );

  it('gets no conversation of a merge that it overtakes', async () => {
    await world.converse();
    const [{ id: duplicateId }] = await world.contacts();
    const body = { name: 'Ada', email: freshEmail() };
    const { id } = (await world.ask(createContact, { body })).body.contact;
    const [conversation] = await world.conversations();
    const key = keys.conversation(world.organizationId, conversation.id);
    const params = { contact_id: id };
    const begin = () => world.ask(mergeContacts, { params, body: { duplicateId } });
    await overtake({ begin, key }, () => erase(id));

    expect(await get(key)).toMatchObject({ leadContactId: duplicateId });
  });

  it('hides the contact immediately, and returns the pending erasure when repeated', async () => {
    await world.converse();
    const [{ id }] = await world.contacts();
    const first = await erase(id);
    const second = await erase(id);

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.erasure).toMatchObject({ status: 'PENDING', doneAt: null });
    expect(second.body.erasure.id).toBe(first.body.erasure.id);
    const params = { contact_id: id };
    expect((await world.ask(getContact, { params })).status).toBe(404);
    const { pipelines } = (await world.ask(listPipelines)).body;
    const body = { contactId: id, pipelineId: pipelines[0].id, source: 'website' };
    expect((await world.ask(createLead, { body })).status).toBe(404);

    await drainWork();

    expect((await erase(id)).status).toBe(404);
    expect(await world.erasureOf(first.body.erasure.id)).toMatchObject({ status: 'DONE' });
  });

  it('reports only the id, keeps deliveries without a body, and rejects their replay', async () => {
    const contactId = await world.fill();
    const [{ id: webhook_id }] = (await world.ask(listOrganizationWebhooks)).body.webhooks;
    await erase(contactId);
    await drainWork();

    const params = { webhook_id };
    const { deliveries } = (
      await world.ask(listOrganizationWebhookDeliveries, { params, query: { limit: '100' } })
    ).body;
    const stored = (await storedItems(`ORG#${world.organizationId}#WEBHOOK_DELIVERIES`)).filter(
      ({ body, sk, type }) =>
        body !== undefined && sk.startsWith('ORGANIZATION#') && type !== 'credits.low',
    );
    expect(stored.map(({ body }) => JSON.parse(String(body)))).toEqual([
      {
        type: 'contact.deleted',
        timestamp: expect.any(String),
        data: { organizationId: world.organizationId, contactId, contact: null },
      },
    ]);
    const erased = deliveries.find(({ type }: { type: string }) => type === 'contact.created');
    const replayed = await world.ask(replayOrganizationWebhookDelivery, {
      params: { ...params, delivery_id: erased.id },
    });
    expect(replayed.status).toBe(409);
    const { entries } = (await world.ask(listAuditLog)).body;
    expect(entries[0]).toMatchObject({
      action: 'contact.erased',
      targetType: 'contact',
      targetId: contactId,
    });
    expect(JSON.stringify(entries)).not.toContain(world.marker);
  });

  it('removes late writes an hour later', async () => {
    await world.converse();
    const [{ id }] = await world.contacts();
    const [conversation] = await world.conversations();
    await erase(id);
    await drainWork();
    const pk = `ORG#${world.organizationId}#CONVERSATION#${conversation.id}`;
    await storeItem({ pk, sk: `TRACE#${newId()}`, detail: world.marker });
    expect((await world.finds()).items).toEqual(['TRACE']);

    setClock(() => Date.now() + hourMs + minuteMs);
    await sweep();
    await drainWork();

    expect(await world.finds()).toEqual(nowhere);
    expect(
      (await storedItems(`ORG#${world.organizationId}`)).filter(({ sk }) =>
        sk.startsWith('ERASED#'),
      ),
    ).toEqual([]);
  });

  it('lets a later message begin a new conversation, lead and contact', async () => {
    const account = await world.converse();
    const [{ id }] = await world.contacts();
    const before = await world.conversations();
    await erase(id);
    await world.say(account, { type: 'message', text: 'Hello again', from: world.customer });
    await drainWork();
    await world.converse(world.customer);

    const [contact, ...others] = await world.contacts();
    const after = await world.conversations();
    expect(others).toEqual([]);
    expect(contact.id).not.toBe(id);
    const former = new Set(before.map((one: { id: string }) => one.id));
    expect(after.filter((one: { id: string }) => former.has(one.id))).toEqual([]);
    const leads = await world.leads();
    expect(leads).toHaveLength(1);
    expect(leads[0].contact.id).toBe(contact.id);
    expect(await wrongCounters()).toEqual([]);
  });
});
