import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import {
  listOrganizationWebhookDeliveries,
  testOrganizationWebhook,
  updateOrganizationWebhook,
} from '#schemas/organization-webhooks.ts';
import { requestsOf, storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { drainWork } from '#tests/support/work.ts';

it('testOrganizationWebhook sends a signed event to which the webhook is not subscribed', async () => {
  const { organizationId, token } = await newAccount();
  const webhook = await storeWebhook(organizationId, { events: ['lead.created'] });
  const params = { organization_id: organizationId, webhook_id: webhook.id };

  const answer = await call(testOrganizationWebhook, { params, token });
  await drainWork();

  expect(answer.body.delivery).toMatchObject({ type: 'webhook.test', status: 'PENDING' });
  const [request] = await requestsOf(webhook.receiver);
  expect(request?.headers['webhook-id']).toBe(answer.body.delivery.id);
  new Webhook(webhook.webhookSecret).verify(request?.body ?? '', request?.headers as never);
  expect(await receivedEvents(webhook.receiver)).toMatchObject([
    { type: 'webhook.test', data: { organizationId, webhookId: webhook.id } },
  ]);
  const listed = await call(listOrganizationWebhookDeliveries, { params, token });
  expect(listed.body.deliveries).toMatchObject([{ status: 'DELIVERED', responseStatus: 200 }]);
});

it('testOrganizationWebhook returns 409 while the webhook is switched off', async () => {
  const { organizationId, token } = await newAccount();
  const { id } = await storeWebhook(organizationId);
  const params = { organization_id: organizationId, webhook_id: id };
  await call(updateOrganizationWebhook, { params, token, body: { isActive: false } });

  expect((await call(testOrganizationWebhook, { params, token })).status).toBe(409);
});
