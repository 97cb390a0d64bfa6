import { beforeEach, describe, expect, test } from 'vitest';
import { takeLeadAd } from '#lib/features/leads/lead-ads/take-lead-ad.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { hourMs, setClock } from '#lib/platform/clock.ts';
import type { Contract } from '#schemas/contract.ts';
import * as customFields from '#schemas/custom-fields.ts';
import * as leads from '#schemas/leads.ts';
import { exportContact } from '#schemas/persons.ts';
import { leadAdWork } from '#schemas/work-payloads.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { deliver } from '#tests/support/network-events.ts';
import { overtake } from '#tests/support/overtake.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';

let owner: Account;
let page: SocialAccount;

beforeEach(async () => {
  owner = await newAccount();
  page = await connectedAccount(owner.organizationId);
});

async function ask(contract: Contract, options: object = {}): Promise<Answer> {
  const { params = {}, ...others } = options as { readonly params?: object };
  const answer = await call(contract, {
    token: owner.token,
    ...others,
    params: { organization_id: owner.organizationId, ...params },
  });
  expect([200, 201]).toContain(answer.status);

  return answer;
}

type Form = { readonly leadgenId?: string; readonly userId?: string };

/** Submits a form, and delivers its event several times concurrently. Returns the form's id. */
async function submit(
  fields: Readonly<Record<string, string>>,
  { userId = page.platformUserId, ...form }: Form = {},
  times = 1,
): Promise<string> {
  const request = { userId, fields, ...form, deliveries: 0 };
  const { leadgenId, delivery } = await sandbox.network('FACEBOOK').submitLeadAd(request);
  const answers = await Promise.all(
    Array.from({ length: times }, () => deliver('FACEBOOK', delivery)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: times }, () => 200));

  return leadgenId;
}

const listed = async () => (await ask(leads.listLeads)).body.leads;

async function activitiesOf(leadId: string) {
  const { lead } = (await ask(leads.getLead, { params: { lead_id: leadId } })).body;

  return lead.activities;
}

const ada = {
  full_name: 'Ada Lovelace',
  email: 'Ada@Example.com ',
  phone_number: '+442079460000',
  company_name: 'Analytical Engines',
};

describe('a lead ad', () => {
  test('is recorded once if two workers process it concurrently', async () => {
    await submit(ada);
    await drainWork('inbound-events');
    const items = await storedItems(`ORG#${owner.organizationId}`);
    const work = items.find(({ sk }) => sk.startsWith('OUTBOX#leadAd#'));
    const take = () => takeLeadAd({ payload: leadAdWork.parse(work?.payload) });
    await overtake({ begin: take }, take);

    const [lead] = await listed();
    expect(await activitiesOf(lead.id)).toHaveLength(1);
  });

  test('becomes one lead with its answers, even if its event is delivered 20 times concurrently', async () => {
    const newField = (field: object) =>
      ask(customFields.createCustomField, { body: { label: 'Field', ...field } });
    await newField({ key: 'budget', type: 'NUMBER', appliesTo: 'LEAD' });
    await newField({ key: 'size', type: 'SELECT', options: ['S', 'L'], appliesTo: 'LEAD' });
    await newField({ key: 'city', type: 'TEXT', appliesTo: 'CONTACT' });
    const webhook = await storeWebhook(owner.organizationId);
    const others = { budget: '2500', size: 'XL', city: 'London', 'when_do_you_start?': 'Soon' };

    const leadgenId = await submit({ ...ada, ...others }, {}, 20);
    await drainWork();
    await submit({}, { leadgenId });
    await drainWork();

    const [lead, ...rest] = await listed();
    expect(rest).toEqual([]);
    expect(lead).toMatchObject({
      source: 'facebook_lead_ad',
      status: 'NEW',
      pipeline: { name: 'Sales Pipeline' },
      customFields: { budget: 2_500 },
      contact: {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        phone: '+442079460000',
        company: 'Analytical Engines',
      },
    });
    const params = { contact_id: lead.contact.id };
    const { contact } = (await ask(leads.getContact, { params })).body;
    expect(contact.customFields).toEqual({ city: 'London' });
    expect(await activitiesOf(lead.id)).toMatchObject([
      {
        type: 'NOTE',
        description: 'Submitted a lead ad\nsize: XL\nwhen_do_you_start?: Soon',
        metadata: {
          leadgenId,
          formId: expect.any(String),
          adId: expect.any(String),
          answers: { size: 'XL', 'when_do_you_start?': 'Soon' },
        },
      },
    ]);
    const told = await receivedEvents(webhook.receiver);
    expect(told.map(({ type }) => type).toSorted()).toEqual(['contact.created', 'lead.created']);
    expect(told.find(({ type }) => type === 'lead.created')?.data.lead).toMatchObject({
      id: lead.id,
      source: 'facebook_lead_ad',
      customFields: { budget: 2_500 },
    });
  });

  test('of a person with a lead adds an activity with all answers', async () => {
    await submit(ada);
    await drainWork();
    const leadgenId = await submit({ ...ada, full_name: 'Countess', color: 'red' }, {}, 3);
    await drainWork();

    const [lead, ...rest] = await listed();
    expect(rest).toEqual([]);
    expect(lead.contact.name).toBe('Ada Lovelace');
    const [latest, ...earlier] = await activitiesOf(lead.id);
    expect(earlier).toHaveLength(1);
    expect(latest.metadata).toMatchObject({
      leadgenId,
      answers: { full_name: 'Countess', color: 'red', email: 'Ada@Example.com' },
    });
  });

  test('without an email address gets a placeholder, and a name of two parts', async () => {
    const leadgenId = await submit({ first_name: 'Ada', last_name: 'Lovelace', email: 'none' });
    await drainWork();

    const [lead] = await listed();
    expect(lead.contact).toMatchObject({
      name: 'Ada Lovelace',
      email: `${leadgenId}@facebook.invalid`,
    });
    expect((await activitiesOf(lead.id))[0].metadata.answers).toEqual({ email: 'none' });
  });

  test('is fetched again after a failure', async () => {
    await sandbox.addFault({
      service: 'facebook',
      path: '/v25.0/[0-9]+$',
      method: 'GET',
      mode: 'error',
      status: 503,
    });
    await submit(ada);
    await drainWork('lead-ads');
    expect(await listed()).toEqual([]);

    await sandbox.clearFaults();
    setClock(() => Date.now() + hourMs);
    await runDueWork();
    expect(await listed()).toHaveLength(1);
  });

  test('waits while the page lacks the permission', async () => {
    const platformUserId = `8${Date.now()}`;
    const request = { userId: platformUserId, scopes: ['pages_show_list'] };
    const { accessToken } = await sandbox.network('FACEBOOK').issueTokens(request);
    await connectedAccount(owner.organizationId, { platformUserId, accessToken });
    await submit(ada, { userId: platformUserId });
    await drainWork('lead-ads');

    expect(await listed()).toEqual([]);
    expect(await storedItems(`ORG#${owner.organizationId}`)).toContainEqual(
      expect.objectContaining({ sk: expect.stringContaining('OUTBOX#leadAd#') }),
    );
  });

  test('of a page that is not connected is ignored', async () => {
    await submit(ada, { userId: `9${Date.now()}` });
    await drainWork();

    expect(await listed()).toEqual([]);
  });

  test('is exported and erased with its contact', async () => {
    await submit({ ...ada, secret: 'Swordfish' });
    await drainWork();
    const [lead] = await listed();
    const params = { contact_id: lead.contact.id };

    expect((await ask(exportContact, { params })).body).toContain('Swordfish');
    const answer = await call(leads.eraseContact, {
      token: owner.token,
      params: { organization_id: owner.organizationId, ...params },
    });
    expect(answer.status).toBeLessThan(300);
    await runDueWork();
    expect(await listed()).toEqual([]);
  });
});
