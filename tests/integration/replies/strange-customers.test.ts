import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { email } from '#schemas/common.ts';
import { getLead, listContacts } from '#schemas/leads.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { drainWork } from '#tests/support/work.ts';
import { newCustomer, type ReplySetup, replySetup } from './setup.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

let world: ReplySetup;

beforeEach(async () => {
  world = replySetup(await newAccount());
});

/** Consists of two code units, so that truncating at an odd index splits it. */
const pizza = '🍕';

describe('creating a lead for an unusual customer', () => {
  test.each([
    ['a name longer than the limit', pizza.repeat(300), /^(🍕){50}$/u],
    ['a name cut in the middle of a character', `a${pizza.repeat(300)}`, /^a(🍕){49}$/u],
    ['a whitespace-only name', ' \n\t\u2028 ', /^customer-/],
    ['a name with NUL and half a character', 'Ada\u0000\ud83d Lovelace', /^Ada\ufffd Lovelace$/],
    ['a name with several lines', ' Ada\r\nLovelace ', /^Ada Lovelace$/],
  ])('accepts %s', async (_, name, shown) => {
    const account = await world.account();
    await world.campaign(account);
    const from = { ...newCustomer(), name };
    const text = `price\u0000\udc00 ${pizza.repeat(600)}`;

    await world.say(account, { type: 'comment', text, from });
    await world.workOff();
    await drainWork('outbound-webhooks');

    const [lead, ...others] = await world.leads();
    expect(others).toEqual([]);
    expect(lead.contact.name).toMatch(shown);
    const { organizationId, token } = world.owner;
    const inPath = { organization_id: organizationId };
    const { contacts } = (await call(listContacts, { params: inPath, token })).body;
    expect(contacts).toMatchObject([{ name: lead.contact.name }]);
    const params = { ...inPath, lead_id: lead.id };
    const { activities } = (await call(getLead, { params, token })).body.lead;
    expect(activities.map(({ type }: { type: string }) => type)).toContain('MESSAGE_RECEIVED');
    const conversations = await world.conversations(account);
    expect(JSON.stringify(conversations)).not.toMatch(/\\u0000|\\ud/);
    expect(await world.replies(account)).toHaveLength(2);
  });

  test.each([
    ['urn:li:person:yrZCpj2Z12', 'urn_3a_li_3a_person_3a_yr_5a__43_pj2_5a_12'],
    ['a(b)~!*.', 'a_28_b_29__7e__21__2a__2e_'],
    ['.a_b-', '_2e_a_5f_b-'],
    ['9'.repeat(64), '9'.repeat(64)],
    ['9'.repeat(65), `__${sha256('9'.repeat(65))}`.slice(0, 64)],
  ])('generates a valid, unique address for the id %s', async (id, local) => {
    const account = await world.account();
    await world.campaign(account);

    await world.say(account, { type: 'comment', text: 'price', from: { id, name: 'Ada' } });
    await world.workOff();

    const [{ contact }] = await world.leads();
    expect(contact).toMatchObject({ name: 'Ada', email: `${local}@facebook.invalid` });
    expect(email.parse(contact.email)).toBe(contact.email);
  });
});

test('a text is stored up to 20,000 characters, without half of one', async () => {
  const account = await world.account();
  await world.say(account, { text: `a${pizza.repeat(10_000)}` });
  await world.workOff();

  expect(await world.conversations(account)).toMatchObject([
    { messages: [{ text: `a${pizza.repeat(9_999)}` }] },
  ]);
});
