import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createContact,
  createLead,
  createLeadActivity,
  createLeadWithContact,
  createPipeline,
  deleteLead,
  getContact,
  getLead,
  getLeadStats,
  listContacts,
  listLeads,
  listPipelines,
  mergeContacts,
  updateContact,
} from '#schemas/leads.ts';
import { type Account, freshEmail, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { callInProcess } from '#tests/support/doomed-call.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';

const proxy = await useProxy();

/** Adds a search word that addresses never contain, so that adding it needs a transaction. */
const phone = '+44 20 7946 0018';
let owner: Account;
let pipelineId: string;

beforeEach(async () => {
  owner = await newAccount();
  const answer = await call(listPipelines, inOrganization());
  pipelineId = answer.body.pipelines[0].id;
});

function inOrganization(params: Readonly<Record<string, string>> = {}) {
  return { params: { organization_id: owner.organizationId, ...params }, token: owner.token };
}

async function contactWith(details: Readonly<Record<string, unknown>> = {}) {
  const body = { name: 'Charles Babbage', email: freshEmail('charles'), ...details };
  const answer = await call(createContact, { ...inOrganization(), body });

  return answer.body.contact;
}

async function leadOf(contactId: string, details: Readonly<Record<string, unknown>> = {}) {
  const body = { contactId, pipelineId, source: 'website', value: 100, ...details };
  const answer = await call(createLead, { ...inOrganization(), body });

  return answer.body.lead;
}

async function anotherPipeline(): Promise<string> {
  const answer = await call(createPipeline, { ...inOrganization(), body: { name: 'Partners' } });

  return answer.body.pipeline.id;
}

async function noteOn(leadId: string, description: string): Promise<void> {
  const body = { type: 'NOTE', description };
  await call(createLeadActivity, { ...inOrganization({ lead_id: leadId }), body });
}

function standIn(): string {
  return `${randomUUID()}@facebook.invalid`;
}

/** Returns the contact of a new lead for the address, created in a new pipeline. */
async function contactOfLead(email: string): Promise<string> {
  const contact = { name: 'Somebody', email };
  const body = { contact, pipelineId: await anotherPipeline(), source: 'social' };
  const answer = await call(createLeadWithContact, { ...inOrganization(), body });

  return answer.body.lead.contactId;
}

function merge(contactId: string, duplicateId: string, token = owner.token) {
  return call(mergeContacts, {
    ...inOrganization({ contact_id: contactId }),
    token,
    body: { duplicateId },
  });
}

async function readLead(leadId: string) {
  return (await call(getLead, inOrganization({ lead_id: leadId }))).body.lead;
}

/** Expects claims, search words, lead counts and all counters to match a recount. */
async function expectExactCounts(): Promise<void> {
  const items = await storedItems(`ORG#${owner.organizationId}`);
  const contacts = items.filter(({ sk }) => sk === 'CONTACT');
  const leads = items.filter(({ sk }) => sk === 'LEAD');
  const claims = items.filter(({ sk }) => sk.startsWith('LEAD_IN#'));
  const counted = items.filter(({ pk }) => pk.endsWith('#CONTACT_COUNTS'));
  const words = items.filter(({ pk }) => pk.includes('#CONTACT_WORDS#'));
  const emails = items.filter(({ pk }) => pk.includes('#CONTACT_EMAIL#'));
  const contactIds = contacts.map(({ id }) => id).sort();

  expect(claims.map(({ pk, sk, leadId }) => `${pk} ${sk} ${leadId}`).sort()).toEqual(
    leads
      .map(
        ({ organizationId, contactId, pipelineId: ofLead, id }) =>
          `ORG#${organizationId}#CONTACT#${contactId} LEAD_IN#${ofLead} ${id}`,
      )
      .sort(),
  );
  expect(contacts.map(({ id, leadCount }) => [id, leadCount])).toEqual(
    contacts.map(({ id }) => [id, leads.filter(({ contactId }) => contactId === id).length]),
  );
  expect(counted.reduce((sum, { total }) => sum + Number(total), 0)).toBe(contacts.length);
  expect(emails.map(({ pk, contactId }) => `${pk} ${contactId}`).sort()).toEqual(
    contacts
      .flatMap(({ id, email, standIns = [] }) =>
        [...new Set([email, ...(standIns as string[])])].map(
          (address) => `ORG#${owner.organizationId}#CONTACT_EMAIL#${address} ${id}`,
        ),
      )
      .sort(),
  );
  expect([...new Set(words.map(({ contactId }) => contactId))].sort()).toEqual(contactIds);

  const { stats } = (await call(getLeadStats, inOrganization())).body;
  expect([stats.totalLeads, stats.totalValue]).toEqual([
    leads.length,
    leads.reduce((sum, { value }) => sum + Number(value ?? 0), 0),
  ]);
}

describe('merging two contacts', () => {
  it("moves the duplicate's leads and deletes the duplicate", async () => {
    const [contact, duplicate] = [await contactWith(), await contactWith({ name: 'C. Babbage' })];
    const own = await leadOf(contact.id);
    const theirs = await leadOf(duplicate.id, { pipelineId: await anotherPipeline() });
    const answer = await merge(contact.id, duplicate.id);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      contact,
      message: 'Contacts merged successfully',
    });
    expect((await readLead(own.id)).contactId).toBe(contact.id);
    expect((await readLead(theirs.id)).contact.id).toBe(contact.id);
    const gone = await call(getContact, inOrganization({ contact_id: duplicate.id }));
    expect(gone.status).toBe(404);
    await expectExactCounts();
  });

  it('takes only missing values from the duplicate', async () => {
    const contact = await contactWith({ company: 'Difference Ltd' });
    const duplicate = await contactWith({
      name: 'Other',
      phone,
      company: 'Analytical Ltd',
    });
    const { body } = await merge(contact.id, duplicate.id);

    expect(body.contact).toEqual({ ...contact, phone });
    const found = await call(listContacts, {
      ...inOrganization(),
      query: { search: '442079460018' },
    });
    expect(found.body.contacts.map(({ id }: { id: string }) => id)).toEqual([contact.id]);
    await expectExactCounts();
  });

  it("keeps the contact's lead when both have one in a pipeline, with the activities of both", async () => {
    const [contact, duplicate] = [await contactWith(), await contactWith()];
    const kept = await leadOf(contact.id, { value: 7 });
    const lost = await leadOf(duplicate.id, { value: 35 });
    await noteOn(kept.id, 'first');
    for (let number = 1; number <= 45; number += 1) {
      await noteOn(lost.id, `note ${number}`);
    }
    await merge(contact.id, duplicate.id);

    expect(await readLead(lost.id)).toBeUndefined();
    const { activities, value } = await readLead(kept.id);
    expect(value).toBe(7);
    expect(activities).toHaveLength(46);
    expect(activities.at(-1).description).toBe('first');
    expect(new Set(activities.map(({ leadId }: { leadId: string }) => leadId))).toEqual(
      new Set([kept.id]),
    );
    const { leads, pagination } = (await call(listLeads, inOrganization())).body;
    expect([leads.length, pagination.total]).toEqual([1, 1]);
    await drainWork('lead-removal');
    expect(await storedItems(`ORG#${owner.organizationId}#LEAD#${lost.id}`)).toEqual([]);
    expect((await readLead(kept.id)).activities).toHaveLength(46);
    await expectExactCounts();
  });

  it("releases the duplicate's address", async () => {
    const [contact, duplicate] = [await contactWith(), await contactWith()];
    await merge(contact.id, duplicate.id);
    const again = await call(createContact, {
      ...inOrganization(),
      body: { name: 'Again', email: duplicate.email },
    });

    expect(again.status).toBe(201);
    await expectExactCounts();
  });

  it("takes over the duplicate's network customers", async () => {
    const contact = await contactWith();
    const [email, other] = [standIn(), standIn()];
    const duplicate = await contactWith({ email: other });
    const changed = { ...inOrganization({ contact_id: duplicate.id }), body: { email } };
    await call(updateContact, changed);
    const { body } = await merge(contact.id, duplicate.id);

    expect(body.contact).toEqual(contact);
    for (const address of [email, other]) {
      expect(await contactOfLead(address)).toBe(contact.id);
    }
    await expectExactCounts();
  });

  it('loses no lead created for the duplicate concurrently', async () => {
    const [contact, duplicate] = [await contactWith(), await contactWith()];
    const pipelines = await Promise.all(Array.from({ length: 6 }, anotherPipeline));
    const create = (ofPipeline: string) =>
      call(createLead, {
        ...inOrganization(),
        body: { contactId: duplicate.id, pipelineId: ofPipeline, source: 'website' },
      });
    const [merged, ...created] = await Promise.all([
      merge(contact.id, duplicate.id),
      ...pipelines.map(create),
    ]);
    await merge(contact.id, duplicate.id);
    const made = created.filter(({ status }) => status === 201).map(({ body }) => body.lead.id);
    const { leads } = (await call(listLeads, inOrganization())).body;

    expect(merged.status).toBe(200);
    expect(leads.map(({ id }: { id: string }) => id).sort()).toEqual(made.sort());
    expect(leads.every((lead: { contactId: string }) => lead.contactId === contact.id)).toBe(true);
    await expectExactCounts();
  });

  it('keeps all counts exact while leads are deleted', async () => {
    const [contact, duplicate] = [await contactWith(), await contactWith()];
    const pipelines = await Promise.all(Array.from({ length: 4 }, anotherPipeline));
    const leads = await Promise.all(
      pipelines.map((ofPipeline) => leadOf(duplicate.id, { pipelineId: ofPipeline })),
    );
    const [merged] = await Promise.all([
      merge(contact.id, duplicate.id),
      ...leads.slice(2).map(({ id }) => call(deleteLead, inOrganization({ lead_id: id }))),
    ]);

    expect(merged.status).toBe(200);
    expect((await call(listLeads, inOrganization())).body.pagination.total).toBe(2);
    await expectExactCounts();
  });

  it('keeps one of two contacts that are merged into each other concurrently', async () => {
    const [one, other] = [await contactWith(), await contactWith()];
    await leadOf(one.id);
    await leadOf(other.id);
    const answers = await Promise.all([merge(one.id, other.id), merge(other.id, one.id)]);
    const { contacts } = (await call(listContacts, inOrganization())).body;

    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(contacts.length).toBeGreaterThanOrEqual(1);
    await expectExactCounts();
  });
});

describe('a merge that crashes', () => {
  /** Fill in values, move a lead, move activities, delete a lead, delete the duplicate. */
  const steps = 5;
  const moments = Array.from({ length: steps }, (_, index) => [
    [index + 1, 'before', 200] as const,
    [index + 1, 'after', index + 1 === steps ? 404 : 200] as const,
  ]).flat();

  it.each(moments)('is finished by a retry: step %i, %s', async (nth, when, status) => {
    const partners = await anotherPipeline();
    const contact = await contactWith();
    const duplicate = await contactWith({ phone, email: standIn() });
    const moved = await leadOf(duplicate.id, { pipelineId: partners });
    const kept = await leadOf(contact.id);
    const lost = await leadOf(duplicate.id);
    await noteOn(lost.id, 'a note');
    const request = { ...inOrganization({ contact_id: contact.id }) };
    const body = { duplicateId: duplicate.id };
    const doomed = await callInProcess(mergeContacts, { ...request, body }, proxy.endpoint);
    proxy.faults.add({
      operation: 'TransactWriteItems',
      nth,
      fault: { kind: 'kill', when, victim: doomed.kill },
    });
    expect(await doomed.answer).toBeUndefined();
    await expectExactCounts();

    const again = await merge(contact.id, duplicate.id);
    expect(again.status).toBe(status);
    const { contacts } = (await call(listContacts, inOrganization())).body;
    expect(contacts).toEqual([{ ...contact, phone }]);
    expect((await readLead(moved.id)).contactId).toBe(contact.id);
    expect(await readLead(lost.id)).toBeUndefined();
    expect((await readLead(kept.id)).activities).toMatchObject([{ description: 'a note' }]);
    await expectExactCounts();
  });
});

describe('merge errors', () => {
  it('rejects merging a contact with itself', async () => {
    const contact = await contactWith();
    const answer = await merge(contact.id, contact.id);

    expect([answer.status, answer.body.message]).toEqual([
      400,
      ['duplicateId must be the id of a different contact'],
    ]);
  });
});
