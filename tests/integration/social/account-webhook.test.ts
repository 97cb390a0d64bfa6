import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type AccountEvent,
  findAccountWebhookClaim,
  planAccountEvent,
  planAccountWebhookRemoval,
} from '#lib/features/social/accounts/account-webhook.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, secondMs, setClock } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { write } from '#lib/platform/db/write.ts';
import { createCampaign } from '#schemas/campaigns.ts';
import { deleteOrganization, listAuditLog } from '#schemas/organizations.ts';
import {
  listAccountDeliveries,
  replayAccountDelivery,
  subscribeAccountWebhook,
} from '#schemas/webhooks.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { privateTargets } from '#tests/support/private-targets.ts';
import { exampleOf } from '#tests/support/registry/fields.ts';
import { storeSocialAccount } from '#tests/support/social-accounts.ts';
import { lastingItems } from '#tests/support/table.ts';
import { storeFailedDelivery } from '#tests/support/webhooks.ts';
import { drainWork } from '#tests/support/work.ts';

const receiver = `${process.env.WEBHOOK_ALLOWED_ORIGINS}/_sandbox/hooks`;

let ada: Account;

afterEach(() => setClock());

beforeAll(async () => {
  ada = await newAccount();
});

function subscribe({ id }: Pick<SocialAccount, 'id'>, body: object, { token } = ada) {
  return call(subscribeAccountWebhook, { params: { account_id: id }, body, token });
}

function deliveriesOf({ id }: Pick<SocialAccount, 'id'>) {
  return call(listAccountDeliveries, { params: { account_id: id }, token: ada.token });
}

function replay({ id }: Pick<SocialAccount, 'id'>, deliveryId: string) {
  const params = { account_id: id, delivery_id: deliveryId };

  return call(replayAccountDelivery, { params, token: ada.token });
}

async function emitEvent(account: SocialAccount, event: AccountEvent): Promise<number> {
  const writes = await planAccountEvent(account, event);
  await write(...writes);

  return writes.length;
}

async function received(name: string) {
  await drainWork();
  const requests = await sandbox.requests({ service: 'hooks' });

  return requests.filter(({ path }) => path.endsWith(name));
}

describe('a webhook subscription', () => {
  test('is created with a secret that is shown once and signs forwarded events', async () => {
    const account = await storeSocialAccount(ada.organizationId);
    const name = randomUUID();
    const { status, body } = await subscribe(account, {
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
    const deliveries = await deliveriesOf(account);
    expect(deliveries.body.deliveries).toMatchObject([
      { id: headers['webhook-id'], type: 'message.received', status: 'DELIVERED', attempts: 1 },
    ]);
    expect(JSON.stringify([await lastingItems(), deliveries.body])).not.toContain(webhookSecret);
  });

  test('forwards the subscribed messages, and all other event types', async () => {
    const account = await storeSocialAccount(ada.organizationId);
    await subscribe(account, { webhookUrl: `${receiver}/x`, events: ['mentions'] });
    const message = (topic: 'messages' | 'comments' | 'mentions' | 'posts') =>
      ({ type: 'message.received', topic, data: { channel: 'COMMENT' } }) as const;

    expect(await emitEvent(account, message('messages'))).toBe(0);
    expect(await emitEvent(account, message('comments'))).toBe(0);
    expect(await emitEvent(account, message('posts'))).toBe(0);
    expect(await emitEvent(account, message('mentions'))).toBeGreaterThan(0);
    for (const type of ['content.published', 'content.failed', 'account.disconnected'] as const) {
      expect(await emitEvent(account, { type, data: {} })).toBeGreaterThan(0);
    }
    const other = await storeSocialAccount(ada.organizationId);
    expect(await emitEvent(other, { type: 'content.published', data: {} })).toBe(0);
  });

  test('is replaced by the next one, while the old secret also signs for a day', async () => {
    const account = await storeSocialAccount(ada.organizationId);
    const first = await subscribe(account, { webhookUrl: `${receiver}/old` });
    const name = randomUUID();
    const second = await subscribe(account, { webhookUrl: `${receiver}/${name}` });
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
    const account = await storeSocialAccount(ada.organizationId);
    const { body } = await subscribe(account, { verifyToken: 'hand' });
    expect(body.webhook).toMatchObject({ webhookUrl: null, webhookSecret: null });
    expect(await emitEvent(account, { type: 'content.published', data: {} })).toBe(0);
    expect(await findAccountWebhookClaim(account.id)).toMatchObject({
      organizationId: ada.organizationId,
      verifyTokenHash: hashToken('hand'),
    });
  });

  test('is recorded in the audit log', async () => {
    const account = await storeSocialAccount(ada.organizationId);
    await subscribe(account, {});
    const params = { organization_id: ada.organizationId };
    const { body } = await call(listAuditLog, { params, token: ada.token });

    expect(body.entries[0]).toMatchObject({
      action: 'social_account.webhook_subscribed',
      actorId: ada.userId,
      targetId: account.id,
    });
  });

  test(`is rejected for each of ${privateTargets.length} private addresses, as for campaigns`, async () => {
    const account = await storeSocialAccount(ada.organizationId);
    const params = { organization_id: ada.organizationId };
    const campaign = exampleOf(createCampaign.body) as object;
    const refused = expect.stringMatching(/^webhookUrl must/);

    await atMostAtOnce(8, privateTargets, async (webhookUrl) => {
      const body = { ...campaign, webhookUrl };
      for (const answer of [
        await subscribe(account, { webhookUrl }),
        await call(createCampaign, { params, token: ada.token, body }),
      ]) {
        const { status, body: said } = answer;
        expect([webhookUrl, status, String(said.message[0])]).toEqual([webhookUrl, 400, refused]);
      }
    });
    expect(await findAccountWebhookClaim(account.id)).toBeUndefined();
  });

  test('returns 404 and stores nothing for an unknown account or another organization', async () => {
    const foreign = await storeSocialAccount((await newAccount()).organizationId);
    const message = "Social account not found or you don't have access";
    for (const id of [randomUUID(), foreign.id]) {
      const { status, body } = await subscribe({ id }, { webhookUrl: `${receiver}/x` });
      expect([status, body.message]).toEqual([404, message]);
      expect(await findAccountWebhookClaim(id)).toBeUndefined();
      expect((await deliveriesOf({ id })).status).toBe(404);
      expect((await replay({ id }, randomUUID())).body.message).toBe(message);
    }
  });

  test('ends with its account, whose last event is still sent', async () => {
    const account = await storeSocialAccount(ada.organizationId);
    const name = randomUUID();
    await subscribe(account, { webhookUrl: `${receiver}/${name}` });
    const event = await planAccountEvent(account, { type: 'account.disconnected', data: {} });
    await write(...event, ...planAccountWebhookRemoval(ada.organizationId, account.id));

    expect(await received(name)).toHaveLength(1);
    expect(await findAccountWebhookClaim(account.id)).toBeUndefined();
    expect(await emitEvent(account, { type: 'content.published', data: {} })).toBe(0);
  });

  test('is removed with its organization, as are its deliveries', async () => {
    const owner = await newAccount();
    const account = await storeSocialAccount(owner.organizationId);
    await storeFailedDelivery(owner.organizationId, account.id);
    await subscribe(account, { webhookUrl: 'https://hooks.example.com/' }, owner);
    const params = { organization_id: owner.organizationId };
    await call(deleteOrganization, { params, token: owner.token });
    await drainWork();

    const left = (await lastingItems()).filter((item) => JSON.stringify(item).includes(account.id));
    expect(left.filter(({ pk }) => !pk.startsWith('SOCIAL#'))).toEqual([]);
  });
});

describe('a webhook delivery', () => {
  test('is restarted under its id after it failed', async () => {
    const account = await storeSocialAccount(ada.organizationId);
    const id = await storeFailedDelivery(ada.organizationId, account.id);
    const name = randomUUID();
    await subscribe(account, { webhookUrl: `${receiver}/${name}` });

    const { status, body } = await replay(account, id);
    expect([status, body.delivery]).toMatchObject([200, { id, status: 'PENDING', attempts: 0 }]);
    expect((await replay(account, id)).body.message).toBe('The delivery is still in progress');
    const requests = await received(name);
    expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual([id]);
    expect((await deliveriesOf(account)).body).toMatchObject({
      deliveries: [{ id, status: 'DELIVERED' }],
      pagination: { total: 1 },
    });
  });

  test('returns 404 under a different account', async () => {
    const [one, other] = [
      await storeSocialAccount(ada.organizationId),
      await storeSocialAccount(ada.organizationId),
    ];
    const id = await storeFailedDelivery(ada.organizationId, one.id);

    expect((await replay(other, id)).body.message).toBe(
      "Delivery not found or you don't have access",
    );
    expect((await deliveriesOf(other)).body.deliveries).toEqual([]);
  });
});
