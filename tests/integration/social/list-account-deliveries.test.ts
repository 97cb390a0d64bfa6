import { describe, expect, test } from 'vitest';
import { listAccountDeliveries } from '#schemas/webhooks.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { storeFailedDelivery } from '#scripts/fixtures/webhooks.ts';
import { call } from '#tests/support/api.ts';
import { accountWebhookSetup } from './setup.ts';

const world = await accountWebhookSetup();

describe("listing the deliveries of an account's webhook", () => {
  test('returns only those of the account, newest first, page by page', async () => {
    const { organizationId, token } = world.ada;
    const [account, other] = [
      await storeSocialAccount(organizationId),
      await storeSocialAccount(organizationId),
    ];
    const older = await storeFailedDelivery(organizationId, account.id);
    const newer = await storeFailedDelivery(organizationId, account.id);
    await storeFailedDelivery(organizationId, other.id);
    const params = { account_id: account.id };
    const pageOf = async (query: Readonly<Record<string, string>>) =>
      (await call(listAccountDeliveries, { params, query, token })).body;

    expect(await pageOf({})).toMatchObject({
      deliveries: [
        { id: newer, status: 'FAILED' },
        { id: older, status: 'FAILED' },
      ],
      pagination: { total: 2 },
    });
    expect(await pageOf({ limit: '1', page: '2' })).toMatchObject({ deliveries: [{ id: older }] });
  });
});
