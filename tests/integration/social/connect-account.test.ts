import { afterEach, describe, expect, it } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { openToken } from '#lib/features/social/accounts/accounts.ts';
import { deactivateAccount } from '#lib/features/social/tokens/deactivate-account.ts';
import { dayMs, hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { networkOf } from '#lib/vendors/networks/networks.ts';
import { getOrganizationHealth } from '#schemas/health.ts';
import { deleteOrganization, listAuditLog } from '#schemas/organizations.ts';
import {
  connectSocialAccount,
  disconnectSocialAccount,
  listSocialAccountPages,
  listSocialAccounts,
  syncSocialAccount,
  validateSocialAccountToken,
} from '#schemas/social.ts';
import { subscribeAccountWebhook } from '#schemas/webhooks.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { removeDeleted } from '#tests/support/removal.ts';
import {
  connectAccount,
  connectionBody,
  newPlatformUserId,
} from '#tests/support/social-accounts.ts';
import { lastingItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';

const facebook = sandbox.network('FACEBOOK');
const queues = process.env.QUEUE_URL_PREFIX;

afterEach(async () => {
  process.env.QUEUE_URL_PREFIX = queues;
  await sandbox.clearFaults();
});

const connect = (token: string, body: object) => call(connectSocialAccount, { token, body });
const disconnect = (token: string, id: string) =>
  call(disconnectSocialAccount, { token, params: { account_id: id } });

async function isSubscribed(userId: string): Promise<boolean> {
  return (await facebook.subscriptions(userId)).length > 0;
}

function stored({ organizationId, id }: { organizationId: string; id: string }) {
  return get<SocialAccount>(keys.socialAccount(organizationId, id));
}

describe('connecting an account', () => {
  it("stores it with the network's token details and subscribes it immediately", async () => {
    const { token, userId, organizationId } = await newAccount();
    const body = await connectionBody();
    const answer = await connect(token, body);

    expect(answer.status).toBe(201);
    expect(answer.body.socialAccount).toMatchObject({
      organizationId,
      platform: 'FACEBOOK',
      platformUserId: body.platformUserId,
      platformUserName: 'Engines',
      isActive: true,
      inactiveReason: null,
    });
    expect(answer.body.socialAccount.permissions).toContain('pages_messaging');
    expect(await isSubscribed(body.platformUserId)).toBe(true);
    const params = { organization_id: organizationId };
    const [entry] = (await call(listAuditLog, { params, token })).body.entries;
    expect(entry).toMatchObject({
      action: 'social_account.connected',
      actorId: userId,
      targetType: 'social_account',
      targetId: answer.body.socialAccount.id,
    });
  });

  it('neither stores tokens in plaintext nor returns them', async () => {
    const { token } = await newAccount();
    const body = await connectionBody({ body: { refreshToken: 'a-refresh-token-of-mine' } });
    const answer = await connect(token, body);
    const account = await stored(answer.body.socialAccount);

    expect(JSON.stringify(answer)).not.toMatch(
      new RegExp(`${body.accessToken}|${body.refreshToken}`),
    );
    expect(JSON.stringify(await lastingItems())).not.toMatch(
      new RegExp(`${body.accessToken}|${body.refreshToken}`),
    );
    expect(account && (await openToken(account, 'accessToken'))).toBe(body.accessToken);
    expect(account && (await openToken(account, 'refreshToken'))).toBe(body.refreshToken);
  });

  it('rejects a token that the network does not accept, and leaves nothing behind', async () => {
    const { token } = await newAccount();
    const body = await connectionBody();
    await facebook.revokeTokens(body.accessToken);
    const revoked = await connect(token, body);
    const madeUp = await connect(token, { ...body, accessToken: 'made-up' });

    for (const answer of [revoked, madeUp]) {
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ code: 'PLATFORM_TOKEN_INVALID' });
    }
    expect((await call(listSocialAccounts, { token })).body.total).toBe(0);
  });

  it('rejects a token of another account', async () => {
    const { token } = await newAccount();
    const body = await connectionBody();
    const answer = await connect(token, { ...body, platformUserId: newPlatformUserId() });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([
      'platformUserId must match an account that the access token grants access to',
    ]);
  });

  it('returns 502 while the network is down, leaves nothing behind, and can be retried', async () => {
    const { token } = await newAccount();
    const body = await connectionBody();
    await sandbox.addFault({ service: 'facebook', mode: 'down' });
    expect((await connect(token, body)).status).toBe(502);
    await sandbox.clearFaults();

    expect((await connect(token, body)).status).toBe(201);
  });

  it('succeeds once in the whole service for concurrent requests', async () => {
    const [one, other] = await Promise.all([newAccount(), newAccount()]);
    const body = await connectionBody();
    const tries = [one, other, one, other].map(({ token }) => connect(token, body));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);

    expect(statuses.toSorted()).toEqual([201, 409, 409, 409]);
    const again = await connect(one.token, body);
    expect(again.status).toBe(409);
    expect(again.body.message).toBe('Social account already connected');
  });

  it('is finished by a worker when the network cannot subscribe it now', async () => {
    const { token } = await newAccount();
    await sandbox.addFault({ service: 'facebook', path: 'subscribed_apps', mode: 'down' });
    const { platformUserId } = await connectAccount(token);
    expect(await isSubscribed(platformUserId)).toBe(false);
    await sandbox.clearFaults();
    await drainWork();

    expect(await isSubscribed(platformUserId)).toBe(true);
  });

  it('is finished by the sweep when the message was lost', async () => {
    const { token } = await newAccount();
    process.env.QUEUE_URL_PREFIX = `${queues}gone-`;
    await sandbox.addFault({ service: 'facebook', path: 'subscribed_apps', mode: 'refuse' });
    const { platformUserId } = await connectAccount(token);
    process.env.QUEUE_URL_PREFIX = queues;
    await sandbox.clearFaults();
    setClock(() => Date.now() + hourMs);
    await runDueWork();
    setClock();

    expect(await isSubscribed(platformUserId)).toBe(true);
  });
});

describe("an account's event subscription", () => {
  afterEach(() => {
    setClock();
  });

  /** Runs the work due in this many days, twice: the second run must find nothing to do. */
  async function runAfter(days: number): Promise<void> {
    setClock(() => Date.now() + days * dayMs + minuteMs);
    await runDueWork();
    await runDueWork();
  }

  it("is renewed daily, well within YouTube's ten days", async () => {
    const { token } = await newAccount();
    const { platformUserId } = await connectAccount(token, { platform: 'YOUTUBE' });
    const asked = async () =>
      (await sandbox.requests({ service: 'youtube', contains: platformUserId })).filter(
        ({ path, body }) => path === '/subscribe' && body.includes('hub.mode=subscribe'),
      ).length;

    expect(await asked()).toBe(1);
    for (const day of [1, 2, 11]) {
      const before = await asked();
      await runAfter(day);
      expect(await asked()).toBe(before + 1);
    }
  });

  it('is restored after a day when the network dropped it, and ends with the account', async () => {
    const { token } = await newAccount();
    const { id, platformUserId, accessToken } = await connectAccount(token);
    await networkOf('FACEBOOK').unsubscribe({ platformUserId, accessToken });
    expect(await isSubscribed(platformUserId)).toBe(false);

    await runAfter(1);
    expect(await isSubscribed(platformUserId)).toBe(true);
    await disconnect(token, id);
    await runAfter(2);
    expect(await isSubscribed(platformUserId)).toBe(false);
  });

  it('is renewed once an account that was inactive at the due time is active again', async () => {
    const { token } = await newAccount();
    const { params, id, organizationId, platformUserId, accessToken } = await connectAccount(token);
    const account = (await stored({ id, organizationId })) as SocialAccount;
    await deactivateAccount(account, 'The token was revoked');
    await networkOf('FACEBOOK').unsubscribe({ platformUserId, accessToken });
    await runAfter(1);
    expect(await isSubscribed(platformUserId)).toBe(false);
    await call(validateSocialAccountToken, { params, token, body: {} });
    expect(await stored({ id, organizationId })).toMatchObject({ isActive: true });

    await runAfter(2);
    expect(await isSubscribed(platformUserId)).toBe(true);
  });

  it('reports a rejection by the network as an issue, in its words, until it succeeds', async () => {
    const { token, organizationId } = await newAccount();
    const body = { error: { code: 200, message: 'Requires pages_manage_metadata' } };
    const fault = { service: 'facebook', path: 'subscribed_apps', mode: 'error' } as const;
    await sandbox.addFault({ ...fault, status: 403, body });
    await connectAccount(token);
    const seen = async () => {
      const { socialAccounts } = (await call(listSocialAccounts, { token })).body;
      const params = { organization_id: organizationId };
      const { alerts } = (await call(getOrganizationHealth, { token, params })).body.health;

      return [socialAccounts[0], alerts.map(({ type }: { type: string }) => type)];
    };
    const refused = { isActive: true, subscribedAt: null, subscriptionFailure: body.error.message };

    expect(await seen()).toMatchObject([refused, ['EVENTS_NOT_SUBSCRIBED']]);
    await sandbox.clearFaults();
    await runAfter(1);
    expect(await seen()).toMatchObject([{ subscriptionFailure: null }, []]);
  });
});

describe('an account with an invalid token', () => {
  it('is deactivated when the network reports it, and all owners are notified once', async () => {
    const owner = await newAccount();
    const { params, accessToken } = await connectAccount(owner.token);
    await facebook.revokeTokens(accessToken);
    const answer = await call(listSocialAccountPages, { params, token: owner.token });
    await call(listSocialAccountPages, { params, token: owner.token });

    expect(answer.status).toBe(401);
    expect(answer.body.code).toBe('PLATFORM_TOKEN_INVALID');
    const [account] = (await call(listSocialAccounts, { token: owner.token })).body.socialAccounts;
    expect(account).toMatchObject({ isActive: false });
    expect(account.inactiveReason).toContain('connect the account again');
    const mails = await mailsTo(owner.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Reconnect Engines on Facebook']);
    expect(mails[0]?.text).toContain(account.inactiveReason);
  });

  it('can be reconnected under the same id only by its organization', async () => {
    const [owner, stranger] = await Promise.all([newAccount(), newAccount()]);
    const { id, organizationId, platformUserId } = await connectAccount(owner.token);
    const account = (await stored({ id, organizationId })) as SocialAccount;
    await deactivateAccount(account, 'The token was revoked');
    const fresh = await connectionBody({ platformUserId });

    expect((await connect(stranger.token, fresh)).status).toBe(409);
    const answer = await connect(owner.token, fresh);
    expect(answer.status).toBe(201);
    expect(answer.body.socialAccount).toMatchObject({ id, isActive: true, inactiveReason: null });
    const renewed = (await stored({ id, organizationId })) as SocialAccount;
    expect(await openToken(renewed, 'accessToken')).toBe(fresh.accessToken);
    expect(renewed.tokenVersion).toBe(2);
    expect((await connect(owner.token, fresh)).status).toBe(409);
  });
});

describe('validating a token', () => {
  it('returns what the network reports', async () => {
    const { token } = await newAccount();
    const { params, platformUserId } = await connectAccount(token);
    const { body } = await call(validateSocialAccountToken, { params, token, body: {} });

    expect(body.validation).toMatchObject({ isValid: true, platformUserId });
    expect(body.validation.permissions).toContain('pages_messaging');
  });

  it('reports an invalid token, and reactivates an account whose token is valid after all', async () => {
    const { token } = await newAccount();
    const { params, id, organizationId, accessToken } = await connectAccount(token);
    const account = (await stored({ id, organizationId })) as SocialAccount;
    await deactivateAccount(account, 'The token was revoked');
    const validate = async () =>
      (await call(validateSocialAccountToken, { params, token, body: {} })).body.validation;
    const isActive = async () => (await stored({ id, organizationId }))?.isActive;

    expect((await validate()).isValid).toBe(true);
    expect(await isActive()).toBe(true);
    await facebook.revokeTokens(accessToken);
    expect((await validate()).isValid).toBe(false);
    expect(await isActive()).toBe(false);
  });

  it('returns 502 while the network is down and deactivates nothing', async () => {
    const { token } = await newAccount();
    const { params, id, organizationId } = await connectAccount(token);
    await sandbox.addFault({ service: 'facebook', mode: 'down' });

    expect((await call(validateSocialAccountToken, { params, token, body: {} })).status).toBe(502);
    expect((await stored({ id, organizationId }))?.isActive).toBe(true);
  });
});

describe('listing the pages of an account', () => {
  it('returns the pages its token can act for', async () => {
    const { token } = await newAccount();
    const { params, platformUserId } = await connectAccount(token);
    const { body } = await call(listSocialAccountPages, { params, token });

    expect(body).toMatchObject({ total: 1 });
    expect(body.pages[0]).toMatchObject({
      id: platformUserId,
      platformPageId: platformUserId,
      name: 'Engines',
    });
  });
});

describe('syncing an account', () => {
  it("counts what it fetched and stores it as today's metrics", async () => {
    const { token } = await newAccount();
    const { params, platformUserId } = await connectAccount(token);
    await facebook.setAccount(platformUserId, { followers: 321 });
    const { body } = await call(syncSocialAccount, { params, token, body: {} });

    expect(body.syncResult).toMatchObject({
      syncType: 'full',
      postsSynced: 0,
      followersSynced: 321,
      engagementSynced: 0,
    });
    const { socialAccounts } = (
      await call(listSocialAccounts, { token, query: { includeStats: 'true' } })
    ).body;
    expect(socialAccounts[0]).toMatchObject({
      lastSyncAt: body.syncResult.lastSyncAt,
      stats: { totalFollowers: 321 },
    });
  });

  it('skips what the request excludes', async () => {
    const { token } = await newAccount();
    const { params } = await connectAccount(token);
    const nothing = { includePosts: false, includeFollowers: false, includeEngagement: false };
    const { body } = await call(syncSocialAccount, { params, token, body: nothing });

    expect(body.syncResult).toMatchObject({ postsSynced: 0, followersSynced: 0 });
  });
});

describe('disconnecting an account', () => {
  it('stops its events, removes its metrics, and lets any organization connect it', async () => {
    const [owner, other] = await Promise.all([newAccount(), newAccount()]);
    const { id, platformUserId, accessToken, params } = await connectAccount(owner.token);
    await call(syncSocialAccount, { params, token: owner.token, body: {} });
    expect((await disconnect(owner.token, id)).status).toBe(200);
    expect((await disconnect(owner.token, id)).status).toBe(404);
    await drainWork();

    expect(await isSubscribed(platformUserId)).toBe(false);
    const left = (await lastingItems()).filter(
      (item) => JSON.stringify(item).includes(id) && !/^(AUDIT|FORMER_ACCOUNT)#/.test(item.sk),
    );
    expect(left).toEqual([]);
    const again = await connect(other.token, {
      platform: 'FACEBOOK',
      accessToken,
      platformUserId,
      platformUserName: 'Engines',
    });
    expect(again.status).toBe(201);
    expect(again.body.socialAccount.id).not.toBe(id);
  });

  it('takes effect until its organization connects it again', async () => {
    const [owner, other] = await Promise.all([newAccount(), newAccount()]);
    const { platformUserId, ...former } = await connectAccount(owner.token);
    const { tokenVersion = 0 } = (await stored(former)) ?? {};
    await disconnect(owner.token, former.id);
    const { id } = await connectAccount(other.token, { platformUserId });
    await disconnect(other.token, id);
    const again = await connectAccount(owner.token, { platformUserId });
    await drainWork();

    expect(again.id).toBe(former.id);
    const account = await stored(again);
    expect(account && (await openToken(account, 'accessToken'))).toBe(again.accessToken);
    expect(account?.tokenVersion).toBe(tokenVersion + 1);
    expect(await isSubscribed(platformUserId)).toBe(true);
    await disconnect(owner.token, again.id);
    expect((await stored(again)) ?? 'gone').toBe('gone');
    expect((await connectAccount(owner.token, { platformUserId })).id).toBe(former.id);
  });

  it('is reported to its webhook, whose subscription is removed', async () => {
    const { token, organizationId } = await newAccount();
    const { id, params } = await connectAccount(token);
    const hook = `${process.env.WEBHOOK_ALLOWED_ORIGINS}/_sandbox/hooks/${id}`;
    await call(subscribeAccountWebhook, { token, params, body: { webhookUrl: hook } });
    await disconnect(token, id);
    await drainWork();

    const told = await sandbox.requests({ service: 'hooks', contains: 'account.disconnected' });
    expect(told.filter(({ body }) => body.includes(id))).toHaveLength(1);
    expect(await get(keys.webhookEndpoint(organizationId, id))).toBeUndefined();
    expect(await get(keys.socialWebhookClaim(id))).toBeUndefined();
  });

  it('retries unsubscribing while the network is down, unless someone else has connected it since', async () => {
    const [owner, other] = await Promise.all([newAccount(), newAccount()]);
    const first = await connectAccount(owner.token);
    const second = await connectAccount(owner.token);
    await drainWork();
    await sandbox.addFault({ service: 'facebook', path: 'subscribed_apps', mode: 'down' });
    await disconnect(owner.token, first.id);
    await disconnect(owner.token, second.id);
    await drainWork();
    expect(await isSubscribed(first.platformUserId)).toBe(true);
    await sandbox.clearFaults();
    const { platformUserId } = second;
    await connectAccount(other.token, { platformUserId });
    setClock(() => Date.now() + hourMs);
    await runDueWork();
    setClock();

    expect(await isSubscribed(first.platformUserId)).toBe(false);
    expect(await isSubscribed(second.platformUserId)).toBe(true);
  });

  it('happens to all accounts of a deleted organization', async () => {
    const [owner, other] = await Promise.all([newAccount(), newAccount()]);
    const { platformUserId, accessToken } = await connectAccount(owner.token);
    const params = { organization_id: owner.organizationId };
    expect((await call(deleteOrganization, { params, token: owner.token })).status).toBe(200);
    await runDueWork();
    await removeDeleted(owner.organizationId);

    expect(await isSubscribed(platformUserId)).toBe(false);
    const left = (await lastingItems()).filter(
      (item) =>
        JSON.stringify(item).includes(owner.organizationId) &&
        !item.sk.startsWith('SESSION#') &&
        !item.pk.endsWith('#LEDGER'),
    );
    expect(left).toEqual([]);
    expect(
      (await connectAccount(other.token, { platformUserId, body: { accessToken } })).organizationId,
    ).toBe(other.organizationId);
  });
});
