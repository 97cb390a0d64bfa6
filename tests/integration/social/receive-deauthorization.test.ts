import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import {
  connectSocialAccount,
  disconnectSocialAccount,
  listSocialAccounts,
} from '#schemas/social.ts';
import { receiveDeauthorization } from '#schemas/social-webhooks.ts';
import { signedRequest } from '#scripts/fixtures/network-events.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { deliverSigned, invalidSignedTexts, signedForm } from '#tests/support/signed-requests.ts';
import { drainWork } from '#tests/support/work.ts';
import {
  connectOauthSession,
  consented,
  newPerson,
  newPlatformUserId,
  prepareConsent,
  sandbox,
} from './setup.ts';

let ada: Account;

beforeAll(prepareConsent);
beforeEach(async () => {
  ada = await newAccount();
});

/** Connects a person's pages with their consent. */
async function connectPages(count: number) {
  const person = await newPerson('FACEBOOK', { count });
  const session = await consented(ada.token, 'FACEBOOK', person);
  const platformUserIds = person.accounts.map(({ id }) => id);
  const { status } = await connectOauthSession(ada.token, session, platformUserIds);
  expect(status).toBe(201);

  return person;
}

async function connectByToken(platform: 'FACEBOOK' | 'INSTAGRAM', platformUserId: string) {
  const { accessToken } = await sandbox.network(platform).issueTokens({ userId: platformUserId });
  const body = { platform, platformUserId, platformUserName: 'Engines', accessToken };
  const { status } = await call(connectSocialAccount, { body, token: ada.token });
  expect(status).toBe(201);
}

async function states(): Promise<readonly boolean[]> {
  const { body } = await call(listSocialAccounts, { token: ada.token });

  return body.socialAccounts.map(({ isActive }: { isActive: boolean }) => isActive);
}

describe('the removal of the app', () => {
  it('deactivates all Facebook pages whose tokens the person granted, and no others', async () => {
    const person = await connectPages(2);
    await connectByToken('FACEBOOK', newPlatformUserId());
    const { status, body } = await deliverSigned(receiveDeauthorization, 'FACEBOOK', person.id);
    await drainWork('inbound-events');

    expect([status, body.received]).toEqual([200, 2]);
    expect((await states()).toSorted()).toEqual([false, false, true]);
  });

  it('deactivates a page that was connected with its own token', async () => {
    const pageId = newPlatformUserId();
    await connectByToken('FACEBOOK', pageId);
    await deliverSigned(receiveDeauthorization, 'FACEBOOK', `person-of-${pageId}`);
    await drainWork('inbound-events');

    expect(await states()).toEqual([false]);
  });

  it('deactivates the Instagram account itself', async () => {
    const id = newPlatformUserId();
    await connectByToken('INSTAGRAM', id);
    await deliverSigned(receiveDeauthorization, 'INSTAGRAM', id);
    await drainWork('inbound-events');

    expect(await states()).toEqual([false]);
  });

  it('is processed once, and not for an account that was connected again since', async () => {
    const id = newPlatformUserId();
    await connectByToken('INSTAGRAM', id);
    const { headers, body } = await signedRequest('INSTAGRAM', id);
    const again = () => deliverSigned(receiveDeauthorization, 'INSTAGRAM', id, () => body);
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect((await again()).body.received).toBe(1);
    expect((await again()).body.received).toBe(0);
    await drainWork('inbound-events');
    setClock(() => Date.now() + minuteMs);
    await connectByToken('INSTAGRAM', id);
    await again();
    await drainWork('inbound-events');

    expect(await states()).toEqual([true]);
  });

  it('has no effect after the account was removed', async () => {
    const { id, accounts } = await connectPages(1);
    const listed = () => query(ranges.grantedAccounts('FACEBOOK', id));
    expect(await listed()).toHaveLength(accounts.length);
    const { body } = await call(listSocialAccounts, { token: ada.token });
    const params = { account_id: body.socialAccounts[0].id };
    await call(disconnectSocialAccount, { params, token: ada.token });

    expect(await listed()).toEqual([]);
  });

  it('of an unknown person changes nothing', async () => {
    const { status, body } = await deliverSigned(receiveDeauthorization, 'FACEBOOK', 'nobody');
    expect([status, body.received]).toEqual([200, 0]);
  });

  it.each([
    ['without signed_request', () => 'other=1', 400],
    ['with an empty one', () => 'signed_request=', 400],
    ['with another signature', (body: string) => body.replace('=', '=x'), 401],
    ['with another payload', (body: string) => `${body.slice(0, -4)}AAAA`, 401],
    ['without a payload', (body: string) => body.split('.')[0] ?? '', 401],
    ['that is no text', () => 'signed_request=%FF.%FF', 401],
  ])('is rejected %s', async (_, change, expected) => {
    const answer = await deliverSigned(receiveDeauthorization, 'FACEBOOK', 'somebody', change);
    expect(answer.status).toBe(expected);
  });

  it.each(invalidSignedTexts)('is rejected with %s', async (_, textFor) => {
    const id = newPlatformUserId();
    await connectByToken('INSTAGRAM', id);
    const form = await signedForm('INSTAGRAM', textFor(id));
    const { status } = await deliverSigned(receiveDeauthorization, 'INSTAGRAM', id, () => form);
    await drainWork('inbound-events');
    expect([status, await states()]).toEqual([401, [true]]);
  });

  it('is rejected on networks that send none', async () => {
    const { headers, body } = await signedRequest('FACEBOOK', 'somebody');
    const params = { platform: 'tiktok' };
    expect((await call(receiveDeauthorization, { params, headers, body })).status).toBe(400);
  });
});
