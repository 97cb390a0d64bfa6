import { expect, it } from 'vitest';
import { listOrganizationWebhookDeliveries } from '#schemas/organization-webhooks.ts';
import { storeWebhook, storeWebhookDelivery } from '#scripts/fixtures/organization-webhooks.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

it('listOrganizationWebhookDeliveries lists the deliveries of one webhook, newest first', async () => {
  const { organizationId, token } = await newAccount();
  const [one, other] = [await storeWebhook(organizationId), await storeWebhook(organizationId)];
  const first = await storeWebhookDelivery(organizationId, one.id);
  const second = await storeWebhookDelivery(organizationId, one.id);
  await storeWebhookDelivery(organizationId, other.id);

  const { body } = await call(listOrganizationWebhookDeliveries, {
    params: { organization_id: organizationId, webhook_id: one.id },
    token,
  });

  expect(body.deliveries.map(({ id }: { id: string }) => id)).toEqual([second, first]);
  expect(body.pagination.total).toBe(2);
});
