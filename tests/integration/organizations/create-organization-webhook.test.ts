import { expect, it } from 'vitest';
import { webhookSource } from '#lib/platform/db/keys/webhooks.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import {
  createOrganizationWebhook,
  listOrganizationWebhooks,
} from '#schemas/organization-webhooks.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

const url = 'https://hooks.example.com/leads?key=very-secret';

async function create(body: object = {}) {
  const { organizationId, token } = await newAccount();
  const params = { organization_id: organizationId };
  const answer = await call(createOrganizationWebhook, {
    params,
    token,
    body: { url, events: ['lead.created', 'lead.created'], description: 'CRM', ...body },
  });

  return { organizationId, token, params, answer };
}

it('createOrganizationWebhook creates a webhook, shows its secret once and stores it encrypted', async () => {
  const { organizationId, token, params, answer } = await create();

  expect(answer.status).toBe(201);
  const { webhookSecret, ...webhook } = answer.body.webhook;
  expect(webhookSecret).toMatch(/^whsec_/);
  expect(webhook).toMatchObject({
    url,
    events: ['lead.created'],
    description: 'CRM',
    isActive: true,
    disabledReason: null,
  });
  const stored = await get(keys.webhookEndpoint(organizationId, webhookSource(webhook.id)));
  expect(JSON.stringify(stored)).not.toContain(String(webhookSecret).slice('whsec_'.length));
  const { body } = await call(listOrganizationWebhooks, { params, token });
  expect(body.webhooks).toEqual([webhook]);
});

it('createOrganizationWebhook records the webhook in the audit log, without the path of its URL', async () => {
  const { params, token, answer } = await create();

  const { entries } = (await call(listAuditLog, { params, token })).body;
  expect(entries[0]).toMatchObject({
    action: 'webhook.created',
    targetId: answer.body.webhook.id,
    details: { origin: 'https://hooks.example.com' },
  });
  expect(JSON.stringify(entries)).not.toContain('very-secret');
});

it.each([
  ['http://hooks.example.com/', 'https'],
  ['https://127.0.0.1/', 'public'],
  ['https://user:secret@hooks.example.com/', 'credentials'],
])('createOrganizationWebhook rejects the URL %s', async (wrong, reason) => {
  const { answer } = await create({ url: wrong });

  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain('url');
  expect(JSON.stringify(answer.body)).toContain(reason);
});

it.each([[[]], [['lead.unknown']]])(
  'createOrganizationWebhook rejects the events %j',
  async (events) => {
    const { answer } = await create({ events });

    expect(answer.status).toBe(400);
  },
);

it('createOrganizationWebhook creates exactly ten webhooks for concurrent requests', async () => {
  const { organizationId, token } = await newAccount();
  const request = { params: { organization_id: organizationId }, token };
  const body = { url, events: ['*'] };

  const answers = await Promise.all(
    Array.from({ length: 12 }, () => call(createOrganizationWebhook, { ...request, body })),
  );

  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(10).fill(201), 409, 409]);
  expect((await call(listOrganizationWebhooks, request)).body.webhooks).toHaveLength(10);
});
