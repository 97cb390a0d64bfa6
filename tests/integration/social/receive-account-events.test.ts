import { beforeAll, describe, expect, test } from 'vitest';
import { subscribeToAccount } from '#lib/features/social/accounts/account-webhook.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { receiveAccountEvents } from '#schemas/social-webhooks.ts';
import { signedEvent } from '#scripts/fixtures/network-events.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { conversationsOf } from '#tests/support/network-events.ts';
import { drainWork } from '#tests/support/work.ts';

let ada: Account;

let page: SocialAccount;

beforeAll(async () => {
  ada = await newAccount();
  page = await connectedAccount(ada.organizationId);
  const subscription = { verifyToken: 'open sesame' };
  await subscribeToAccount(ada.organizationId, ada.userId, page.id, subscription, noExtraWrites);
});

describe("a delivery to an account's own URL", () => {
  test('is processed like one to the shared URL', async () => {
    const { headers, body } = await signedEvent(page);
    const deliver = (change: object) =>
      call(receiveAccountEvents, { params: { account_id: page.id }, headers, body, ...change });

    expect((await deliver({ body: `${body} ` })).status).toBe(401);
    expect((await deliver({ params: { account_id: newId() } })).status).toBe(404);
    expect((await deliver({})).body).toEqual({ success: true, received: 1 });

    await drainWork('inbound-events');
    expect(await conversationsOf(ada, page)).toHaveLength(1);
  });

  test('leads only to the organization that has connected the account of the event', async () => {
    const [own, eve] = await Promise.all([newAccount(), newAccount()]);
    const [first, second] = (await Promise.all(
      [own, eve].map(({ organizationId }) => connectedAccount(organizationId)),
    )) as [SocialAccount, SocialAccount];
    const subscription = { verifyToken: 'open sesame' };
    await subscribeToAccount(own.organizationId, own.userId, first.id, subscription, noExtraWrites);
    const deliver = async (account: SocialAccount) =>
      call(receiveAccountEvents, {
        params: { account_id: first.id },
        ...(await signedEvent(account)),
      });

    expect((await deliver({ ...first, platformUserId: newId() })).body.received).toBe(0);
    expect((await deliver(second)).body.received).toBe(1);
    await drainWork('inbound-events');
    expect(await conversationsOf(own, first)).toEqual([]);
    expect(await conversationsOf(eve, second)).toHaveLength(1);
  });
});
