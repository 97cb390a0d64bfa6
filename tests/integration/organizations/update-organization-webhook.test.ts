import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { testWebhook } from '#lib/features/organizations/webhooks/webhooks.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import {
  deleteOrganizationWebhook,
  updateOrganizationWebhook,
} from '#schemas/organization-webhooks.ts';
import { requestsOf, storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { receiverUrl } from '#scripts/fixtures/sandbox.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { overtake } from '#tests/support/overtake.ts';
import { drainWork } from '#tests/support/work.ts';

async function update(body: object, webhookId?: string) {
  const { organizationId, token } = await newAccount();
  const webhook = await storeWebhook(organizationId, { description: 'CRM' });
  const params = { organization_id: organizationId, webhook_id: webhookId ?? webhook.id };

  return { webhook, answer: await call(updateOrganizationWebhook, { params, token, body }) };
}

it('updateOrganizationWebhook changes the given fields', async () => {
  const { webhook, answer } = await update({ events: ['lead.created'], description: null });

  expect(answer.body.webhook).toMatchObject({
    id: webhook.id,
    url: webhook.url,
    events: ['lead.created'],
    description: null,
    isActive: true,
  });
});

it('updateOrganizationWebhook keeps the secret when the URL changes', async () => {
  const receiver = randomUUID();
  const { webhook, answer } = await update({ url: receiverUrl(receiver) });
  expect(answer.status).toBe(200);
  await testWebhook(webhook.organizationId, webhook.id, noExtraWrites);
  await drainWork();

  const [request] = await requestsOf(receiver);
  const verified = new Webhook(webhook.webhookSecret).verify(
    request?.body ?? '',
    request?.headers as never,
  );
  expect(verified).toMatchObject({ type: 'webhook.test', data: { webhookId: webhook.id } });
});

it('updateOrganizationWebhook writes nothing if nothing changes', async () => {
  const { webhook, answer } = await update({ description: 'CRM', isActive: true });

  expect(answer.body.webhook.updatedAt).toBe(webhook.updatedAt);
});

it('updateOrganizationWebhook rejects a private URL', async () => {
  expect((await update({ url: 'https://10.0.0.1/' })).answer.status).toBe(400);
});

it.each(['switched off', 'deleted'])(
  'updateOrganizationWebhook counts a webhook once that is also %s',
  async (end) => {
    const { organizationId, token } = await newAccount();
    const { id } = await storeWebhook(organizationId);
    const request = { params: { organization_id: organizationId, webhook_id: id }, token };
    const remove = () => call(deleteOrganizationWebhook, request);
    const switchOff = () =>
      call(updateOrganizationWebhook, { ...request, body: { isActive: false } });
    await overtake({ begin: end === 'deleted' ? remove : switchOff }, switchOff);

    expect(await get(keys.eventReceivers(organizationId))).toMatchObject({ active: 0 });
  },
);
