import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { createCustomField, listCustomFields } from '#schemas/custom-fields.ts';
import { createForm } from '#schemas/forms.ts';
import {
  convertConversation,
  createContact,
  createLead,
  createLeadWithContact,
  getContact,
  getLead,
  importLeads,
  listLeads,
  mergeContacts,
  updateContact,
  updateLead,
} from '#schemas/leads.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import type { Answer } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { deliver } from '#tests/support/network-events.ts';
import { drainWork } from '#tests/support/work.ts';
import { type LeadSetup, leadSetup, sendJson } from './setup.ts';

type Values = Readonly<Record<string, unknown>>;

const fields = [
  { name: 'text', type: 'TEXT' },
  { name: 'number', type: 'NUMBER' },
  { name: 'date', type: 'DATE' },
  { name: 'flag', type: 'BOOLEAN' },
  { name: 'choice', type: 'SELECT', options: ['Small', 'Large'] },
] as const;

/** Values that are invalid for the field with this name. */
const wrongValues: ReadonlyArray<readonly [name: string, wrong: readonly unknown[]]> = [
  ['text', [5, true, 'x'.repeat(1_001), 'a\u0000b', {}, []]],
  ['number', ['5', '', true, 1e16, {}, []]],
  ['date', ['2026-02-30', '2026-02-28T00:00:00Z', '28.02.2026', '', 20_260_228, true, []]],
  ['flag', ['true', 1, 0, '', []]],
  ['choice', ['small', 'Small ', '', 1, true, ['Small']]],
  ['unknown', ['x', 1]],
];

let world: LeadSetup;

beforeAll(async () => {
  world = await leadSetup();
  for (const appliesTo of ['LEAD', 'CONTACT']) {
    for (const { name, ...field } of fields) {
      const key = `${appliesTo.toLowerCase()}_${name}`;
      await world.ask(createCustomField, { body: { key, label: name, appliesTo, ...field } });
    }
  }
});

const person = () => ({ name: 'Ada', email: freshEmail('ada') });
const newContactId = async () =>
  (await world.ask(createContact, { body: person() })).body.contact.id as string;
const inPipeline = () => ({ pipelineId: world.pipeline.id, source: 'website' });

/** The requests that set values of a lead. */
const ofLeads: Readonly<Record<string, (customFields: Values) => Promise<Answer>>> = {
  createLead: async (customFields) =>
    world.ask(createLead, {
      body: { contactId: await newContactId(), ...inPipeline(), customFields },
    }),
  createLeadWithContact: (customFields) =>
    world.ask(createLeadWithContact, {
      body: { contact: person(), ...inPipeline(), customFields },
    }),
  convertConversation: async (customFields) => {
    const customer = { id: randomUUID(), name: 'Ada' };
    const { id } = await storeConversation(world.owner.organizationId, { customer });

    return world.ask(convertConversation, {
      body: { conversationId: id, ...inPipeline(), customFields },
    });
  },
  updateLead: async (customFields) =>
    world.ask(updateLead, {
      params: { lead_id: (await world.newLead()).id },
      body: { customFields },
    }),
};

/** The requests that set values of a contact. */
const ofContacts: typeof ofLeads = {
  createContact: (customFields) =>
    world.ask(createContact, { body: { ...person(), customFields } }),
  updateContact: async (customFields) =>
    world.ask(updateContact, {
      params: { contact_id: await newContactId() },
      body: { customFields },
    }),
  'createLeadWithContact, new contact': (customFields) =>
    world.ask(createLeadWithContact, {
      body: { contact: { ...person(), customFields }, ...inPipeline() },
    }),
  'createLeadWithContact, known contact': async (customFields) => {
    const known = person();
    await world.ask(createContact, { body: known });

    return world.ask(createLeadWithContact, {
      body: { contact: { ...known, customFields }, ...inPipeline() },
    });
  },
};

const entries = [
  ...Object.entries(ofLeads).map(([name, send]) => ({ name, send, prefix: 'lead' })),
  ...Object.entries(ofContacts).map(([name, send]) => ({ name, send, prefix: 'contact' })),
];

describe.each(entries)('custom fields in $name', ({ send, prefix }) => {
  it.each(wrongValues)('must match their type: %s', async (name, wrong) => {
    for (const value of wrong) {
      const key = `${prefix}_${name}`;
      const refused = await send({ [key]: value });
      expect([value, refused.status, refused.body.message?.join()]).toEqual([
        value,
        400,
        expect.stringContaining(`customFields.${key}`),
      ]);
    }
  });

  it('must belong to the record', async () => {
    const key = `${prefix === 'lead' ? 'contact' : 'lead'}_text`;
    const refused = await send({ [key]: 'x' });
    expect([refused.status, refused.body.message.join()]).toEqual([
      400,
      expect.stringContaining(`customFields.${key}`),
    ]);
  });

  it('are accepted with the right types', async () => {
    const values = { text: '5', number: 5, date: '2026-02-28', flag: false, choice: 'Small' };
    const given = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]),
    );
    const { lead, contact } = (await send(given)).body;
    const id = lead?.id ?? contact?.id;
    const read = lead
      ? await world.ask(getLead, { params: { lead_id: id } })
      : await world.ask(getContact, { params: { contact_id: id } });
    const shown =
      prefix === 'contact' && lead
        ? (await world.ask(getContact, { params: { contact_id: lead.contactId } })).body.contact
        : (read.body.lead ?? read.body.contact);
    expect(shown.customFields).toEqual(given);
  });
});

describe('custom fields in imports', () => {
  it.each([
    ['number', 'much'],
    ['number', '1e5'],
    ['date', '28.02.2026'],
    ['flag', 'yes'],
    ['choice', 'small'],
    ['text', 'x'.repeat(1_001)],
  ])('reject the row and report the column: %s', async (name, cell) => {
    for (const prefix of ['lead', 'contact']) {
      const column = `customFields.${prefix}_${name}`;
      const csv = `name,email,${column}\nAda,${freshEmail('ada')},${cell}\n`;
      const { rows } = (await world.ask(importLeads, { body: { csv } })).body.import;
      expect(rows[0]).toMatchObject({
        outcome: 'REFUSED',
        reason: expect.stringContaining(column),
      });
    }
  });
});

describe('custom fields in merges', () => {
  it('keep the types of both contacts', async () => {
    const first = { ...person(), customFields: { contact_number: 5 } };
    const second = { ...person(), customFields: { contact_number: 6, contact_flag: true } };
    const [kept, duplicate] = await Promise.all(
      [first, second].map(async (body) => (await world.ask(createContact, { body })).body.contact),
    );
    const params = { contact_id: kept.id };
    await world.ask(mergeContacts, { params, body: { duplicateId: duplicate.id } });
    const { contact } = (await world.ask(getContact, { params })).body;
    expect(contact.customFields).toEqual({ contact_number: 5, contact_flag: true });
    expect((await world.ask(listCustomFields)).body.total).toBe(10);
  });
});

/** Answers as text that are invalid for the field with this name. */
const wrongTexts: ReadonlyArray<readonly [name: string, wrong: readonly string[]]> = [
  ['text', ['x'.repeat(1_001)]],
  ['number', ['much', '1e5', '1e999', '5 or 6']],
  ['date', ['2026-02-30', '28.02.2026', '2026-02-28T00:00:00Z']],
  ['flag', ['perhaps', '2']],
  ['choice', ['small', 'Medium']],
];
const rightTexts = { text: '5', number: '5', date: '2026-02-28', flag: 'true', choice: 'Small' };
const prefixes = ['lead', 'contact'] as const;

const withPrefix = (prefix: string, values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]));

/** Returns the custom fields of the lead and the contact with this address. */
async function storedOf(email: string): Promise<Values> {
  const { leads } = (await world.ask(listLeads, { query: { limit: '100' } })).body;
  const { id, contact } = leads.find((lead: Answer['body']) => lead.contact.email === email);
  const [ofLead, ofContact] = await Promise.all([
    world.ask(getLead, { params: { lead_id: id } }),
    world.ask(getContact, { params: { contact_id: contact.id } }),
  ]);

  return { ...ofLead.body.lead.customFields, ...ofContact.body.contact.customFields };
}

const rightValues = { ...rightTexts, number: 5, flag: true };
const allRightValues = Object.assign({}, ...prefixes.map((one) => withPrefix(one, rightValues)));
const allRightTexts = Object.assign({}, ...prefixes.map((one) => withPrefix(one, rightTexts)));

describe('custom fields in forms', () => {
  const keys = prefixes.flatMap((prefix) => Object.keys(withPrefix(prefix, rightTexts)));
  const newForm = async () =>
    (
      await world.ask(createForm, {
        body: { name: 'Contact us', pipelineId: world.pipeline.id, fields: ['email', ...keys] },
      })
    ).body.form.code as string;

  it.each(wrongTexts)('must match their type: %s', async (name, wrong) => {
    const code = await newForm();
    for (const text of wrong) {
      for (const prefix of prefixes) {
        const key = `${prefix}_${name}`;
        const refused = await sendJson(code, { email: freshEmail(), [key]: text });
        expect([text, refused.status, refused.body.message]).toEqual([
          text,
          400,
          [expect.stringContaining(key)],
        ]);
      }
    }
  });

  it('are stored with the right types', async () => {
    const [code, email] = [await newForm(), freshEmail()];
    expect((await sendJson(code, { email, ...allRightTexts })).status).toBe(200);
    expect(await storedOf(email)).toEqual(allRightValues);
  });
});

describe('custom fields in lead ads', () => {
  let page: SocialAccount;

  beforeAll(async () => {
    page = await connectedAccount(world.owner.organizationId);
  });

  async function submit(answers: Values): Promise<Values> {
    const email = freshEmail();
    const { delivery } = await sandbox.network('FACEBOOK').submitLeadAd({
      userId: page.platformUserId,
      fields: { email, ...answers } as Record<string, string>,
      deliveries: 0,
    });
    await deliver('FACEBOOK', delivery);
    await drainWork();

    return storedOf(email);
  }

  it.each(wrongTexts)('are omitted unless they match their type: %s', async (name, wrong) => {
    for (const text of wrong) {
      const given = Object.assign({}, ...prefixes.map((one) => withPrefix(one, { [name]: text })));
      expect([text, await submit(given)]).toEqual([text, {}]);
    }
  });

  it('are stored with the right types', async () => {
    expect(await submit(allRightTexts)).toEqual(allRightValues);
  });
});
