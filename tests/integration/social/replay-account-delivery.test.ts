import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { storeFailedDelivery } from '#scripts/fixtures/webhooks.ts';
import { accountWebhookSetup, received } from './setup.ts';

const receiver = `${process.env.WEBHOOK_ALLOWED_ORIGINS}/_sandbox/hooks`;

const world = await accountWebhookSetup();

describe('a webhook delivery', () => {
  test('is restarted under its id after it failed', async () => {
    const account = await storeSocialAccount(world.ada.organizationId);
    const id = await storeFailedDelivery(world.ada.organizationId, account.id);
    const name = randomUUID();
    await world.subscribeAccountWebhook(account, { webhookUrl: `${receiver}/${name}` });

    const { status, body } = await world.replayAccountDelivery(account, id);
    expect([status, body.delivery]).toMatchObject([200, { id, status: 'PENDING', attempts: 0 }]);
    expect((await world.replayAccountDelivery(account, id)).body.message).toBe(
      'The delivery is still in progress',
    );
    const requests = await received(name);
    expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual([id]);
    expect((await world.listAccountDeliveries(account)).body).toMatchObject({
      deliveries: [{ id, status: 'DELIVERED' }],
      pagination: { total: 1 },
    });
  });

  test('returns 404 under a different account', async () => {
    const [one, other] = [
      await storeSocialAccount(world.ada.organizationId),
      await storeSocialAccount(world.ada.organizationId),
    ];
    const id = await storeFailedDelivery(world.ada.organizationId, one.id);

    expect((await world.replayAccountDelivery(other, id)).body.message).toBe(
      "Delivery not found or you don't have access",
    );
    expect((await world.listAccountDeliveries(other)).body.deliveries).toEqual([]);
  });
});
