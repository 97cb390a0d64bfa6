import { expect, it } from 'vitest';
import { listOrganizationWebhooks } from '#schemas/organization-webhooks.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { storeFailedDelivery } from '#scripts/fixtures/webhooks.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

it('listOrganizationWebhooks lists only the webhooks of the organization itself, oldest first, without secrets', async () => {
  const { organizationId, token } = await newAccount();
  const first = await storeWebhook(organizationId);
  const second = await storeWebhook(organizationId, { events: ['lead.created'] });
  await storeFailedDelivery(organizationId, first.id);

  const { body } = await call(listOrganizationWebhooks, {
    params: { organization_id: organizationId },
    token,
  });

  expect(body.webhooks.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id]);
  expect(JSON.stringify(body)).not.toMatch(/secret/i);
});
