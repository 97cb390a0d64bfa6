import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import {
  type AccountEvent,
  planAccountEvent,
} from '#lib/features/social/accounts/account-events.ts';
import {
  findAccountWebhookClaim,
  planAccountWebhookRemoval,
} from '#lib/features/social/accounts/account-webhook.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, secondMs, setClock } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { write } from '#lib/platform/db/write.ts';
import { createCampaign } from '#schemas/campaigns.ts';
import { deleteOrganization, listAuditLog } from '#schemas/organizations.ts';
import { exampleOf } from '#scripts/fixtures/fields.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { storeFailedDelivery } from '#scripts/fixtures/webhooks.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { privateTargets } from '#tests/support/private-targets.ts';
import { lastingItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { accountWebhookSetup, received } from './setup.ts';

const receiver = `${process.env.WEBHOOK_ALLOWED_ORIGINS}/_sandbox/hooks`;

const world = await accountWebhookSetup();

async function emitEvent(account: SocialAccount, event: AccountEvent): Promise<number> {
  const writes = await planAccountEvent(account, event);
  await write(...writes);

  return writes.length;
}

describe('a webhook subscription', () => {
  test('is created with a secret that is shown once and signs forwarded events', async () => {
    const account = await storeSocialAccount(world.ada.organizationId);
    const name = randomUUID();
    const { status, body } = await world.subscribeAccountWebhook(account, {
      webhookUrl: `${receiver}/${name}`,
      events: ['comments', 'messages', 'comments'],
      verifyToken: 'mine',
    });

    expect(status).toBe(201);
    expect(body.webhook).toMatchObject({
      socialAccountId: account.id,
      webhookUrl: `${receiver}/${name}`,
      events: ['comments', 'messages'],
      verifyToken: 'mine',
      isActive: true,
    });
    await emitEvent(account, {
      type: 'message.received',
      topic: 'comments',
      data: { channel: 'COMMENT', text: 'How much?' },
    });
    const [request] = await received(name);
    const { webhookSecret } = body.webhook;
    const headers = request?.headers as Record<string, string>;
    expect(new Webhook(webhookSecret).verify(request?.body ?? '', headers)).toMatchObject({
      type: 'message.received',
      data: {
        socialAccountId: account.id,
        platform: 'FACEBOOK',
        channel: 'COMMENT',
        text: 'How much?',
      },
    });
    const deliveries = await world.listAccountDeliveries(account);
    expect(deliveries.body.deliveries).toMatchObject([
      { id: headers['webhook-id'], type: 'message.received', status: 'DELIVERED', attempts: 1 },
    ]);
    expect(JSON.stringify([await lastingItems(), deliveries.body])).not.toContain(webhookSecret);
  });

  test('forwards the subscribed messages, and all other event types', async () => {
    const account = await storeSocialAccount(world.ada.organizationId);
    await world.subscribeAccountWebhook(account, {
      webhookUrl: `${receiver}/x`,
      events: ['mentions'],
    });
    const message = (topic: 'messages' | 'comments' | 'mentions' | 'posts') =>
      ({ type: 'message.received', topic, data: { channel: 'COMMENT' } }) as const;

    expect(await emitEvent(account, message('messages'))).toBe(0);
    expect(await emitEvent(account, message('comments'))).toBe(0);
    expect(await emitEvent(account, message('posts'))).toBe(0);
    expect(await emitEvent(account, message('mentions'))).toBeGreaterThan(0);
    for (const type of ['content.published', 'content.failed', 'account.disconnected'] as const) {
      expect(await emitEvent(account, { type, data: {} })).toBeGreaterThan(0);
    }
    const other = await storeSocialAccount(world.ada.organizationId);
    expect(await emitEvent(other, { type: 'content.published', data: {} })).toBe(0);
  });

  test('is replaced by the next one, while the old secret also signs for a day', async () => {
    const account = await storeSocialAccount(world.ada.organizationId);
    const first = await world.subscribeAccountWebhook(account, { webhookUrl: `${receiver}/old` });
    const name = randomUUID();
    const second = await world.subscribeAccountWebhook(account, {
      webhookUrl: `${receiver}/${name}`,
    });
    expect(second.body.webhook.webhookSecret).not.toBe(first.body.webhook.webhookSecret);
    expect(second.body.webhook.verifyToken).not.toBe(first.body.webhook.verifyToken);
    expect(second.body.webhook.events).toEqual(['messages', 'comments', 'mentions', 'posts']);

    await emitEvent(account, { type: 'content.published', data: {} });
    const [request, ...others] = await received(name);
    expect(others).toEqual([]);
    const verify = (secret: string) => () =>
      new Webhook(secret).verify(request?.body ?? '', request?.headers as never);
    expect(verify(second.body.webhook.webhookSecret)).not.toThrow();
    expect(verify(first.body.webhook.webhookSecret)).not.toThrow();

    setClock(() => Date.now() + dayMs + secondMs);
    await emitEvent(account, { type: 'content.published', data: {} });
    const signatures = (await received(name)).map(({ headers }) => headers['webhook-signature']);
    expect(signatures.map((signature) => String(signature).split(' ').length)).toEqual([2, 1]);
  });

  test('without a URL only answers the handshake', async () => {
    const account = await storeSocialAccount(world.ada.organizationId);
    const { body } = await world.subscribeAccountWebhook(account, { verifyToken: 'hand' });
    expect(body.webhook).toMatchObject({ webhookUrl: null, webhookSecret: null });
    expect(await emitEvent(account, { type: 'content.published', data: {} })).toBe(0);
    expect(await findAccountWebhookClaim(account.id)).toMatchObject({
      organizationId: world.ada.organizationId,
      verifyTokenHash: hashToken('hand'),
    });
  });

  test('is recorded in the audit log', async () => {
    const account = await storeSocialAccount(world.ada.organizationId);
    await world.subscribeAccountWebhook(account, {});
    const params = { organization_id: world.ada.organizationId };
    const { body } = await call(listAuditLog, { params, token: world.ada.token });

    expect(body.entries[0]).toMatchObject({
      action: 'social_account.webhook_subscribed',
      actorId: world.ada.userId,
      targetId: account.id,
    });
  });

  test(`is rejected for each of ${privateTargets.length} private addresses, as for campaigns`, async () => {
    const account = await storeSocialAccount(world.ada.organizationId);
    const params = { organization_id: world.ada.organizationId };
    const campaign = exampleOf(createCampaign.body) as object;
    const refused = expect.stringMatching(/^webhookUrl must/);

    await atMostAtOnce(8, privateTargets, async (webhookUrl) => {
      const body = { ...campaign, webhookUrl };
      for (const answer of [
        await world.subscribeAccountWebhook(account, { webhookUrl }),
        await call(createCampaign, { params, token: world.ada.token, body }),
      ]) {
        const { status, body: said } = answer;
        expect([webhookUrl, status, String(said.message[0])]).toEqual([webhookUrl, 400, refused]);
      }
    });
    expect(await findAccountWebhookClaim(account.id)).toBeUndefined();
  });

  test('ends with its account, whose last event is still sent', async () => {
    const account = await storeSocialAccount(world.ada.organizationId);
    const name = randomUUID();
    await world.subscribeAccountWebhook(account, { webhookUrl: `${receiver}/${name}` });
    const event = await planAccountEvent(account, { type: 'account.disconnected', data: {} });
    await write(...event, ...planAccountWebhookRemoval(world.ada.organizationId, account.id));

    expect(await received(name)).toHaveLength(1);
    expect(await findAccountWebhookClaim(account.id)).toBeUndefined();
    expect(await emitEvent(account, { type: 'content.published', data: {} })).toBe(0);
  });

  test('is removed with its organization, as are its deliveries', async () => {
    const owner = await newAccount();
    const account = await storeSocialAccount(owner.organizationId);
    await storeFailedDelivery(owner.organizationId, account.id);
    await world.subscribeAccountWebhook(
      account,
      { webhookUrl: 'https://hooks.example.com/' },
      owner,
    );
    const params = { organization_id: owner.organizationId };
    await call(deleteOrganization, { params, token: owner.token });
    await drainWork();

    const left = (await lastingItems()).filter((item) => JSON.stringify(item).includes(account.id));
    expect(left.filter(({ pk }) => !pk.startsWith('SOCIAL#'))).toEqual([]);
  });
});
