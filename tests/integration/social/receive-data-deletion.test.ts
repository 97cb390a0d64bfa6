import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { getDataDeletionPage, receiveDataDeletion } from '#schemas/social-webhooks.ts';
import { signedRequest } from '#scripts/fixtures/network-events.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import {
  deliverSigned,
  invalidSignedTexts,
  payloadFor,
  signedForm,
} from '#tests/support/signed-requests.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { type ReplySetup, replySetup } from '../replies/setup.ts';

const organizations = 2;
let worlds: readonly ReplySetup[];
let person: { readonly id: string; readonly name: string };

beforeEach(async () => {
  worlds = await Promise.all(
    Array.from({ length: organizations }, async () => replySetup(await newAccount())),
  );
  person = { id: `person-${randomUUID()}`, name: 'Charles Babbage' };
});
type Platform = 'FACEBOOK' | 'INSTAGRAM';

/** The person writes to an account of each organization. Somebody else does so, too. */
async function writeToAll(platform: Platform, from = person): Promise<void> {
  for (const world of worlds) {
    const account = await world.account({ platform });
    await world.campaign(account);
    await world.say(account, { type: 'message', text: 'What is the price?', from });
    await world.say(account, { type: 'comment', text: 'I am interested', from });
    const other = { id: `other-${randomUUID()}`, name: 'Somebody else' };
    await world.say(account, { type: 'message', text: 'The price?', from: other });
    await world.workOff();
  }
}

/** Runs the workers until they finish, for the minutes that the checks take. */
async function finish(minutes = 3): Promise<void> {
  await drainWork();
  for (let passed = 1; passed <= minutes; passed += 1) {
    setClock(() => Date.now() + passed * 2 * minuteMs);
    await runDueWork();
  }
  setClock();
}

async function pageOf(url: string): Promise<string> {
  const params = { code: url.split('/').at(-1) ?? '' };

  return (await call(getDataDeletionPage, { params })).body;
}

describe('a data deletion request', () => {
  it.each(['FACEBOOK', 'INSTAGRAM'] as const)(
    'of %s erases the person in every organization, and no other person',
    async (platform) => {
      await writeToAll(platform);
      const { status, body } = await deliverSigned(receiveDataDeletion, platform, person.id);
      expect(status).toBe(200);
      expect(Object.keys(body).toSorted()).toEqual(['confirmation_code', 'url']);
      expect(body.confirmation_code).toMatch(/^[a-z0-9]{32}$/);
      expect(await pageOf(body.url)).toContain('We are deleting your data');
      await finish();

      expect(await pageOf(body.url)).toContain('Your data has been deleted');
      expect(await query(ranges.customerConversations(platform, person.id))).toEqual([]);
      for (const world of worlds) {
        const leads = await world.leads();
        expect(leads.map(({ contact }) => contact.name)).toEqual(['Somebody else']);
        const { organizationId } = world.owner;
        const conversations = (await storedItems(`ORG#${organizationId}#CONVERSATION#`)).filter(
          ({ sk }) => sk === 'CONVERSATION',
        );
        expect(conversations).toHaveLength(1);
      }
      const stored = await get<object>(keys.dataDeletion(body.confirmation_code));
      expect(JSON.stringify(stored)).not.toContain(person.id);
    },
  );

  it('finds the conversations of the ids that Facebook returns', async () => {
    const appScoped = `app-scoped-${randomUUID()}`;
    await writeToAll('FACEBOOK');
    await sandbox.addFault({
      service: 'facebook',
      path: 'ids_for_pages',
      mode: 'error',
      status: 200,
      body: { data: [{ id: person.id, page: { id: '1', name: 'Engines' } }], paging: {} },
    });
    const { body } = await deliverSigned(receiveDataDeletion, 'FACEBOOK', appScoped);
    await finish();

    expect(await pageOf(body.url)).toContain('Your data has been deleted');
    expect(await query(ranges.customerConversations('FACEBOOK', person.id))).toEqual([]);
  });

  it('waits while Facebook cannot return the ids', async () => {
    await sandbox.addFault({ service: 'facebook', path: 'ids_for_pages', mode: 'down' });
    const { body } = await deliverSigned(receiveDataDeletion, 'FACEBOOK', person.id);
    await drainWork();
    expect(await pageOf(body.url)).toContain('We are deleting your data');
    await sandbox.clearFaults();
    await finish();

    expect(await pageOf(body.url)).toContain('Your data has been deleted');
  });

  it.each(['FACEBOOK', 'INSTAGRAM'] as const)(
    'of %s keeps its code until it is done, however often it is sent',
    async (platform) => {
      const ask = () => deliverSigned(receiveDataDeletion, platform, person.id);
      const answers = await Promise.all(Array.from({ length: 20 }, ask));
      const codes = new Set(answers.map(({ body }) => body.confirmation_code));
      const [code = ''] = codes;
      expect(codes.size).toBe(1);
      expect(await storedItems(`DATA_DELETION#${code}`)).toHaveLength(2);
      await drainWork('organization-removal');
      expect(await pageOf(answers[0]?.body.url)).toContain('Your data has been deleted');
      const ofPerson = (await storedItems()).filter((item) =>
        JSON.stringify(item).includes(person.id),
      );
      expect(ofPerson).toEqual([]);

      const { body: form } = await signedRequest(platform, person.id, timestamp(minuteMs));
      const later = await deliverSigned(receiveDataDeletion, platform, person.id, () => form);
      await drainWork('organization-removal');
      expect(codes).not.toContain(later.body.confirmation_code);
      expect(await pageOf(later.body.url)).toContain('Your data has been deleted');
    },
  );

  it('that is sent again after it is done keeps its code', async () => {
    const { body: form } = await signedRequest('FACEBOOK', person.id);
    const send = async () =>
      (await deliverSigned(receiveDataDeletion, 'FACEBOOK', '1', () => form)).body
        .confirmation_code;
    const code = await send();
    await drainWork('organization-removal');
    const stored = await storedItems('DATA_DELETION');

    expect(await Promise.all([send(), send(), send()])).toEqual([code, code, code]);
    expect(await storedItems('DATA_DELETION')).toEqual(stored);
  });

  it.each([
    [59, 200],
    [61, 401],
  ])('that was issued %i minutes ago returns status %i', async (minutes, expected) => {
    const { body } = await signedRequest('FACEBOOK', person.id, timestamp(-minutes * minuteMs));
    const { status } = await deliverSigned(receiveDataDeletion, 'FACEBOOK', '1', () => body);
    expect(status).toBe(expected);
  });

  it("accepts the person's id as a number or a text", async () => {
    const id = 10_158_000_000_000_000 + Math.floor(Math.random() * 1e9);
    const codes = [];
    for (const userId of [id, String(id)]) {
      const form = await signedForm('FACEBOOK', payloadFor(userId));
      const { status, body } = await deliverSigned(
        receiveDataDeletion,
        'FACEBOOK',
        '1',
        () => form,
      );
      expect(status).toBe(200);
      codes.push(body.confirmation_code);
    }
    expect(codes[0]).toBe(codes[1]);
  });

  it.each(invalidSignedTexts)('is rejected with %s', async (_, textFor) => {
    for (const platform of ['FACEBOOK', 'INSTAGRAM'] as const) {
      const form = await signedForm(platform, textFor(person.id));
      const { status } = await deliverSigned(receiveDataDeletion, platform, '1', () => form);
      expect(status).toBe(401);
    }
  });

  it.each([
    ['without signed_request', () => '', 400],
    ['with another signature', (body: string) => body.replace('=', '=x'), 401],
  ])('is rejected %s', async (_, change, expected) => {
    const { status } = await deliverSigned(receiveDataDeletion, 'FACEBOOK', person.id, change);
    expect(status).toBe(expected);
  });

  it('signed by the app of the other network is rejected', async () => {
    const { headers, body } = (
      await sandbox
        .network('INSTAGRAM')
        .sendSignedRequest({ personId: person.id, kind: 'data-deletion', deliver: false })
    ).delivery;
    expect(headers['content-type']).toContain('form');
    const { status } = await deliverSigned(receiveDataDeletion, 'FACEBOOK', person.id, () => body);
    expect(status).toBe(401);
  });
});
