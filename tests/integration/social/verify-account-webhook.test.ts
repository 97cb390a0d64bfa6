import { beforeAll, describe, expect, test } from 'vitest';
import { subscribeToAccount } from '#lib/features/social/accounts/account-webhook.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { verifyAccountWebhook } from '#schemas/social-webhooks.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

type Query = Readonly<Record<string, string>>;

const hub = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444' };

let ada: Account;

let page: SocialAccount;

beforeAll(async () => {
  ada = await newAccount();
  page = await connectedAccount(ada.organizationId);
  const subscription = { verifyToken: 'open sesame' };
  await subscribeToAccount(ada.organizationId, ada.userId, page.id, subscription, noExtraWrites);
});

describe("an account's handshake", () => {
  const verify = (query: Query, accountId = page.id) =>
    call(verifyAccountWebhook, { params: { account_id: accountId }, query });
  const right = { ...hub, 'hub.verify_token': 'open sesame' };

  test('echoes the challenge for the right token', async () => {
    const { status, body, headers } = await verify(right);

    expect([status, body]).toEqual([200, '1158201444']);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  test.each([
    ['a different token', { 'hub.verify_token': 'open barley' }],
    // The format in which the gateway passes a repeated parameter.
    ['a list of tokens', { 'hub.verify_token': 'open sesame,open barley' }],
    ['a repeated token', { 'hub.verify_token': 'open sesame,open sesame' }],
    ['a different mode', { 'hub.mode': 'unsubscribe' }],
  ])('returns 403 for %s', async (_what, wrong) => {
    expect((await verify({ ...right, ...wrong })).status).toBe(403);
  });

  test.each(Object.keys(right))('returns 400 without %s', async (name) => {
    const { [name]: _, ...rest }: Record<string, string> = right;
    const { status, body } = await verify(rest);

    expect([status, body.message]).toEqual([400, [`${name} is required`]]);
  });

  test('returns 404 without a subscription', async () => {
    const { id } = await connectedAccount(ada.organizationId);

    expect((await verify(right, id)).status).toBe(404);
    expect((await verify(right, newId())).status).toBe(404);
  });
});
