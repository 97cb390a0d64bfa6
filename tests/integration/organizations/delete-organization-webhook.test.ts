import { expect, it } from 'vitest';
import {
  createOrganizationWebhook,
  deleteOrganizationWebhook,
  listOrganizationWebhooks,
} from '#schemas/organization-webhooks.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

it('deleteOrganizationWebhook deletes a webhook once, and frees its quota', async () => {
  const { organizationId, token } = await newAccount();
  const webhooks = await Promise.all(
    Array.from({ length: 10 }, () => storeWebhook(organizationId)),
  );
  const inPath = { organization_id: organizationId };
  const params = { ...inPath, webhook_id: String(webhooks[0]?.id) };

  expect((await call(deleteOrganizationWebhook, { params, token })).status).toBe(200);
  expect((await call(deleteOrganizationWebhook, { params, token })).status).toBe(404);

  const body = { url: 'https://hooks.example.com/', events: ['*'] };
  const create = () => call(createOrganizationWebhook, { params: inPath, token, body });
  expect((await create()).status).toBe(201);
  expect((await create()).status).toBe(409);
  const listed = await call(listOrganizationWebhooks, { params: inPath, token });
  expect(listed.body.webhooks).toHaveLength(10);
});
