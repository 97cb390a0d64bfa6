import { expect, it } from 'vitest';
import { replayOrganizationWebhookDelivery } from '#schemas/organization-webhooks.ts';
import {
  requestsOf,
  storeWebhook,
  storeWebhookDelivery,
} from '#scripts/fixtures/organization-webhooks.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { drainWork } from '#tests/support/work.ts';

it('replayOrganizationWebhookDelivery delivers again with the same id, and returns 409 while that is pending', async () => {
  const { organizationId, token } = await newAccount();
  const webhook = await storeWebhook(organizationId);
  const delivery_id = await storeWebhookDelivery(organizationId, webhook.id);
  const params = { organization_id: organizationId, webhook_id: webhook.id, delivery_id };

  const answer = await call(replayOrganizationWebhookDelivery, { params, token });
  expect(answer).toMatchObject({ status: 200, body: { delivery: { status: 'PENDING' } } });
  expect((await call(replayOrganizationWebhookDelivery, { params, token })).status).toBe(409);
  await drainWork();

  const [request, ...others] = await requestsOf(webhook.receiver);
  expect(others).toEqual([]);
  expect(request?.headers['webhook-id']).toBe(delivery_id);
});
