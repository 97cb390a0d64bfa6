import { beforeEach, describe, expect, it } from 'vitest';
import { hourMs, minuteMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, create, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { createAgent, createPromptTemplate, updateAgent } from '#schemas/ai.ts';
import { addPaymentMethod, removePaymentMethod } from '#schemas/billing-subscription.ts';
import { getOrganizationHealth } from '#schemas/health.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { exampleOf } from '#scripts/fixtures/fields.ts';
import { storeMedia } from '#scripts/fixtures/media.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { defaultCardOf } from '#tests/support/billing.ts';

let owner: Account;

beforeEach(async () => {
  owner = await newAccount();
});

const readHealth = async () => {
  const params = { organization_id: owner.organizationId };
  const { body } = await call(getOrganizationHealth, { token: owner.token, params });

  return body;
};
const typesOf = (list: readonly { readonly type: string }[]) => list.map(({ type }) => type);

describe('GET /health/organization/{organization_id}', () => {
  it('reports the usage of the media library', async () => {
    const { organizationId } = owner;
    await storeMedia(organizationId, { bytes: 12_345_678, claimedBytes: 12_345_678 });

    expect((await readHealth()).health.usage.storage).toEqual({
      used: 12_345_678,
      limit: 1_000_000_000,
      percentage: 1.23,
    });
  });

  it('reports no issues for a new organization', async () => {
    expect(await readHealth()).toEqual({
      organizationId: owner.organizationId,
      status: 'healthy',
      timestamp: expect.any(String),
      health: {
        accounts: { total: 0, active: 0, inactive: 0, issues: 0 },
        integrations: {
          social: { connected: 0, healthy: 0, issues: 0 },
          billing: { status: 'active', paymentMethod: 'configured', subscription: 'none' },
        },
        usage: {
          apiCalls: { last24h: 0, limit: null, percentage: null },
          storage: { used: 0, limit: 1_000_000_000, percentage: 0 },
        },
        alerts: [],
        recommendations: [],
      },
    });
  });

  it.each([
    ['people have had the conversation for 31 minutes', 31, { controller: 'HUMAN' }, true],
    ['nobody is going to answer after 31 minutes', 31, { isUnattended: true }, true],
    ['the agent stopped 31 minutes ago', 31, { stopReason: 'NO_CREDITS' }, true],
    ['people have had the conversation for 29 minutes', 29, { controller: 'HUMAN' }, false],
    ['the agent is going to answer', 31, {}, false],
  ] as const)(
    'reports a waiting customer when %s: %i, %o, %s',
    async (_, minutes, state, waits) => {
      const unansweredSince = timestamp(-minutes * minuteMs);
      await storeConversation(owner.organizationId, { unansweredSince, ...state });
      const { status, health } = await readHealth();

      expect(typesOf(health.alerts)).toEqual(waits ? ['CUSTOMER_WAITING'] : []);
      expect(typesOf(health.recommendations)).toEqual(waits ? ['ANSWER_CUSTOMERS'] : []);
      expect(status).toBe(waits ? 'degraded' : 'healthy');
    },
  );

  it('finds a waiting customer among many whom agents will answer', async () => {
    await Promise.all(
      Array.from({ length: 20 }, () =>
        storeConversation(owner.organizationId, { unansweredSince: timestamp(-2 * hourMs) }),
      ),
    );
    const unansweredSince = timestamp(-hourMs);
    await storeConversation(owner.organizationId, { unansweredSince, controller: 'HUMAN' });

    expect((await readHealth()).health.alerts).toMatchObject([
      { message: `A customer has been waiting for an answer since ${unansweredSince}` },
    ]);
  });

  it.each([
    ['active', 'healthy', []],
    ['past_due', 'degraded', ['SUBSCRIPTION_PAST_DUE']],
    ['unpaid', 'unhealthy', ['SUBSCRIPTION_PAST_DUE']],
  ])('reports a subscription that is %s', async (status, expected, alerts) => {
    const record = { subscriptionId: `sub_${newId()}`, status };
    await write(create(keys.subscription(owner.organizationId), record));
    const shown = await readHealth();

    expect(shown.health.integrations.billing.subscription).toBe(status);
    expect(shown.status).toBe(expected);
    expect(typesOf(shown.health.alerts)).toEqual(alerts);
  });

  it('reports inactive accounts and expiring tokens that cannot be refreshed', async () => {
    const { organizationId } = owner;
    const soon = timestamp(86_400_000);
    await storeSocialAccount(organizationId, { isActive: false, inactiveReason: 'The token died' });
    await storeSocialAccount(organizationId, { tokenExpiresAt: soon });
    await storeSocialAccount(organizationId, { tokenExpiresAt: soon, refreshToken: 'renewed' });
    await storeSocialAccount(organizationId, { tokenExpiresAt: timestamp(9 * 86_400_000) });
    const { status, health } = await readHealth();

    expect(status).toBe('unhealthy');
    expect(health.accounts).toEqual({ total: 4, active: 3, inactive: 1, issues: 2 });
    expect(health.integrations.social).toEqual({ connected: 4, healthy: 2, issues: 2 });
    expect(typesOf(health.alerts).sort()).toEqual(['ACCOUNT_INACTIVE', 'TOKEN_EXPIRING']);
    expect(health.recommendations.map(({ priority }: { priority: string }) => priority)).toEqual([
      'high',
      'medium',
    ]);
  });

  it.each([
    [19, 'warning', 'degraded'],
    [0, 'critical', 'unhealthy'],
  ])('warns about %i credits', async (available, severity, status) => {
    await write(change(keys.balance(owner.organizationId), { set: { available } }));
    const body = await readHealth();

    expect(body.status).toBe(status);
    expect(body.health.alerts).toEqual([
      expect.objectContaining({ type: 'LOW_CREDITS', severity }),
    ]);
    expect(typesOf(body.health.recommendations)).toEqual(['BUY_CREDITS']);
  });

  it('reports a missing card after the last one was removed, until another is added', async () => {
    const { token, organizationId } = owner;
    const cardShown = async () => (await readHealth()).health.integrations.billing.paymentMethod;
    const payment_method_id = await defaultCardOf(organizationId);
    await call(removePaymentMethod, { token, params: { payment_method_id } });
    const without = await cardShown();
    await call(addPaymentMethod, { token, body: { paymentMethodId: 'pm_card_visa' } });

    expect([without, await cardShown()]).toEqual(['none', 'configured']);
  });

  it('reports a card that is declined for refills', async () => {
    const set = { refillEnabled: true, refillDeclines: 1 };
    await write(change(keys.balance(owner.organizationId), { set }));
    const { health } = await readHealth();

    expect(health.integrations.billing.paymentMethod).toBe('refused');
    expect(typesOf(health.recommendations)).toEqual(['CHANGE_PAYMENT_METHOD']);
  });

  it('reports inactive agents', async () => {
    const params = { organization_id: owner.organizationId };
    const { token } = owner;
    const { body: template } = await call(createPromptTemplate, {
      token,
      params,
      body: exampleOf(createPromptTemplate.body),
    });
    const { body: made } = await call(createAgent, {
      token,
      params,
      body: {
        ...exampleOf(createAgent.body),
        promptTemplateId: template.promptTemplate.id,
        knowledgeSourceIds: null,
      },
    });
    await call(updateAgent, {
      token,
      params: { ...params, agent_id: made.aiAgent.id },
      body: { status: 'PAUSED' },
    });
    const { status, health } = await readHealth();

    expect(status).toBe('healthy');
    expect(health.alerts).toEqual([
      expect.objectContaining({ type: 'AGENT_OFF', severity: 'info' }),
    ]);
  });

  it('counts failed posts, but no published, deleted or old ones', async () => {
    const { organizationId } = owner;
    const add = async (daysAgo: number, row: object, state: string) => {
      const id = newId();
      await write(
        create(keys.postDate(organizationId, timestamp(-daysAgo * 86_400_000), id), { id, ...row }),
        create(keys.contentPost(organizationId, id), { id, organizationId, state }),
      );
    };
    await add(1, {}, 'FAILED');
    await add(1, {}, 'SCHEDULED');
    await add(1, { wasPublished: true }, 'PUBLISHED');
    await add(1, { isDeleted: true }, 'FAILED');
    await add(8, {}, 'FAILED');
    const { health } = await readHealth();

    expect(health.alerts).toEqual([
      expect.objectContaining({
        type: 'POSTS_FAILED',
        message: '1 posts of the last 7 days were not published',
      }),
    ]);
  });

  it('reports webhooks that are gone or whose latest delivery failed', async () => {
    const { organizationId } = owner;
    const addEndpoint = async (isActive: boolean, ...statuses: readonly string[]) => {
      const sourceId = newId();
      const url = 'https://hooks.example.com';
      await write(
        create(keys.webhookEndpoint(organizationId, sourceId), { sourceId, url, isActive }),
        ...statuses.map((status) =>
          create(keys.webhookDelivery(organizationId, sourceId, newId()), { status }),
        ),
      );
    };
    await addEndpoint(true);
    await addEndpoint(true, 'FAILED', 'DELIVERED');
    await addEndpoint(true, 'DELIVERED', 'FAILED');
    await addEndpoint(false, 'FAILED');
    const { health } = await readHealth();

    expect(typesOf(health.alerts).sort()).toEqual(['WEBHOOK_FAILING', 'WEBHOOK_GONE']);
  });
});
