import { afterEach, describe, expect, it } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { openToken } from '#lib/features/social/accounts/token-holder.ts';
import { deactivateAccount } from '#lib/features/social/tokens/deactivate-account.ts';
import { hourMs, setClock } from '#lib/platform/clock.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { listSocialAccounts } from '#schemas/social.ts';
import { connectionBody, newPlatformUserId } from '#scripts/fixtures/social-accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { connectAccount } from '#tests/support/social-accounts.ts';
import { lastingItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { connectSocialAccount, isSubscribed, stored } from './connections.ts';

const facebook = sandbox.network('FACEBOOK');

const queues = process.env.QUEUE_URL_PREFIX;

afterEach(() => {
  process.env.QUEUE_URL_PREFIX = queues;
});

describe('connecting an account', () => {
  it("stores it with the network's token details and subscribes it immediately", async () => {
    const { token, userId, organizationId } = await newAccount();
    const body = await connectionBody();
    const answer = await connectSocialAccount(token, body);

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
    const answer = await connectSocialAccount(token, body);
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
    const revoked = await connectSocialAccount(token, body);
    const madeUp = await connectSocialAccount(token, { ...body, accessToken: 'made-up' });

    for (const answer of [revoked, madeUp]) {
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ code: 'PLATFORM_TOKEN_INVALID' });
    }
    expect((await call(listSocialAccounts, { token })).body.total).toBe(0);
  });

  it('rejects a token of another account', async () => {
    const { token } = await newAccount();
    const body = await connectionBody();
    const answer = await connectSocialAccount(token, {
      ...body,
      platformUserId: newPlatformUserId(),
    });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([
      'platformUserId must match an account that the access token grants access to',
    ]);
  });

  it('returns 502 while the network is down, leaves nothing behind, and can be retried', async () => {
    const { token } = await newAccount();
    const body = await connectionBody();
    await sandbox.addFault({ service: 'facebook', mode: 'down' });
    expect((await connectSocialAccount(token, body)).status).toBe(502);
    await sandbox.clearFaults();

    expect((await connectSocialAccount(token, body)).status).toBe(201);
  });

  it('succeeds once in the whole service for concurrent requests', async () => {
    const [one, other] = await Promise.all([newAccount(), newAccount()]);
    const body = await connectionBody();
    const tries = [one, other, one, other].map(({ token }) => connectSocialAccount(token, body));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);

    expect(statuses.toSorted()).toEqual([201, 409, 409, 409]);
    const again = await connectSocialAccount(one.token, body);
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

describe('an account with an invalid token', () => {
  it('can be reconnected under the same id only by its organization', async () => {
    const [owner, stranger] = await Promise.all([newAccount(), newAccount()]);
    const { id, organizationId, platformUserId } = await connectAccount(owner.token);
    const account = (await stored({ id, organizationId })) as SocialAccount;
    await deactivateAccount(account, 'The token was revoked');
    const fresh = await connectionBody({ platformUserId });

    expect((await connectSocialAccount(stranger.token, fresh)).status).toBe(409);
    const connect = () => connectSocialAccount(owner.token, fresh);
    const { answer: slower, other: answer } = await overtake({ begin: connect }, connect);
    expect([slower.status, answer.status]).toEqual([409, 201]);
    expect(answer.body.socialAccount).toMatchObject({ id, isActive: true, inactiveReason: null });
    const renewed = (await stored({ id, organizationId })) as SocialAccount;
    expect(await openToken(renewed, 'accessToken')).toBe(fresh.accessToken);
    expect(renewed.tokenVersion).toBe(2);
    expect((await connectSocialAccount(owner.token, fresh)).status).toBe(409);
  });
});
