import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { testWebhook } from '#lib/features/organizations/webhooks/webhooks.ts';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import { rotateOrganizationWebhookSecret } from '#schemas/organization-webhooks.ts';
import { requestsOf, storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { overtake } from '#tests/support/overtake.ts';
import { drainWork } from '#tests/support/work.ts';

it('rotateOrganizationWebhookSecret signs with both secrets for a day, and then only with the new one', async () => {
  const { organizationId, token } = await newAccount();
  const webhook = await storeWebhook(organizationId);
  const params = { organization_id: organizationId, webhook_id: webhook.id };
  const answer = await call(rotateOrganizationWebhookSecret, { params, token });
  expect(answer.status).toBe(200);
  const renewed = String(answer.body.webhookSecret);
  expect(renewed).not.toBe(webhook.webhookSecret);

  await testWebhook(organizationId, webhook.id, noExtraWrites);
  await drainWork();
  const [request] = await requestsOf(webhook.receiver);
  for (const secret of [renewed, webhook.webhookSecret]) {
    const verified = new Webhook(secret).verify(request?.body ?? '', request?.headers as never);
    expect(verified).toMatchObject({ type: 'webhook.test' });
  }

  setClock(() => Date.now() + dayMs);
  await testWebhook(organizationId, webhook.id, noExtraWrites);
  await drainWork();
  const [, later] = await requestsOf(webhook.receiver);
  expect(later?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
});

it('rotateOrganizationWebhookSecret signs with both secrets of two concurrent requests', async () => {
  const { organizationId, token } = await newAccount();
  const webhook = await storeWebhook(organizationId);
  const params = { organization_id: organizationId, webhook_id: webhook.id };
  const begin = () => call(rotateOrganizationWebhookSecret, { params, token });
  const { answer, other } = await overtake({ begin }, begin);

  await testWebhook(organizationId, webhook.id, noExtraWrites);
  await drainWork();
  const [request] = await requestsOf(webhook.receiver);
  for (const { body } of [answer, other]) {
    const receiver = new Webhook(String(body.webhookSecret));
    expect(receiver.verify(request?.body ?? '', request?.headers as never)).toBeDefined();
  }
});
