import { describe, expect, it } from 'vitest';
import { handler as tokenRefresh } from '#functions/jobs/token-refresh.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { openToken, type TokenHolder } from '#lib/features/social/accounts/token-holder.ts';
import { disconnectAllAccounts } from '#lib/features/social/connection/disconnect-account.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { dayMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { lookupsOf } from '#lib/vendors/networks/ports/lookups.ts';
import { canReplyToConversation } from '#schemas/conversations.ts';
import { getOrganizationHealth } from '#schemas/health.ts';
import * as social from '#schemas/social.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { signedEvent } from '#scripts/fixtures/network-events.ts';
import { seat } from '#scripts/fixtures/seat.ts';
import { connectionBody } from '#scripts/fixtures/social-accounts.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call, lambdaContext } from '#tests/support/api.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { conversationsOf, deliver } from '#tests/support/network-events.ts';
import { connectAccount } from '#tests/support/social-accounts.ts';
import { drainWork } from '#tests/support/work.ts';
import { connectSocialAccount, disconnectSocialAccount, stored } from './connections.ts';

const tiktok = sandbox.network('TIKTOK');
const service = 'tiktok';
const api = '/open_api/v1.3';
const rejected = { code: 40_105, message: 'Access token is incorrect or has been revoked.' };

async function connectTikTok(owner: Account, hasBusinessToken = true) {
  const connection = await connectionBody({ platform: 'TIKTOK' });
  const userId = connection.platformUserId;
  const businessToken = await tiktok.issueBusinessToken({ userId });
  const { status, body } = await connectSocialAccount(owner.token, {
    ...connection,
    ...(hasBusinessToken ? { businessToken } : {}),
  });
  expect(status).toBe(201);
  const account = body.socialAccount;
  const id: string = account.id;
  const { organizationId } = owner;

  return {
    id,
    organizationId,
    connection,
    businessToken,
    params: { account_id: id },
    shown: account,
    account: async () => (await stored({ organizationId, id })) as SocialAccount,
    credential: () => get<TokenHolder>(keys.messagingCredential(organizationId, id)),
    claim: () => get(keys.socialAccountClaim('TIKTOK', businessToken.openId)),
  };
}

type Connected = Awaited<ReturnType<typeof connectTikTok>>;

const patch = (token: string, { params }: Pick<Connected, 'params'>, body: object) =>
  call(social.updateSocialAccount, { token, params, body });

/** Returns calls of the Business API whose path ends like this and that contain a text. */
async function calls(path: string, contains: string): Promise<number> {
  const requests = await sandbox.requests({ service, contains });

  return requests.filter((request) => request.path.endsWith(path)).length;
}

function listComments(account: SocialAccount) {
  return withMessagingToken(account, (credentials) =>
    lookupsOf(account.platform).fetchComments(credentials, new Date(0).toISOString()),
  );
}

async function permission({ token, organizationId }: Account, { id }: Pick<Connected, 'id'>) {
  const conversation = await storeConversation(organizationId, {
    socialAccountId: id,
    platform: 'TIKTOK',
    channel: 'COMMENT',
  });
  const params = { organization_id: organizationId, conversation_id: conversation.id };

  return (await call(canReplyToConversation, { token, params })).body.canReply.person;
}

describe('a TikTok account without businessToken', () => {
  it('is MISSING messaging, cannot reply, and subscribes to nothing', async () => {
    const owner = await newAccount();
    const before = (await sandbox.requests({ service })).length;
    const connected = await connectTikTok(owner, false);
    const made = (await sandbox.requests({ service })).slice(before).map(({ path }) => path);

    expect(connected.shown).toMatchObject({
      isActive: true,
      messaging: 'MISSING',
      subscribedAt: null,
      subscriptionFailure: null,
    });
    expect(made.filter((path) => path.includes('webhook'))).toEqual([]);
    expect((await connected.account()).subscriptionFailure).toBeUndefined();
    expect(await permission(owner, connected)).toMatchObject({
      allowed: false,
      reason: 'NOT_SUPPORTED',
    });
    await expect(listComments(await connected.account())).rejects.toMatchObject({
      kind: 'scopeMissing',
    });
  });

  it.each([
    ['FACEBOOK', 'CONNECTED'],
    ['LINKEDIN', 'NOT_SUPPORTED'],
  ] as const)('differs from an account of %s, which is %s', async (platform, messaging) => {
    const { token } = await newAccount();
    await connectAccount(token, { platform });
    const { body } = await call(social.listSocialAccounts, { token });

    expect(body.socialAccounts).toMatchObject([{ platform, messaging }]);
  });
});

describe('businessToken', () => {
  it('connects messages and comments, so that their events arrive', async () => {
    const owner = await newAccount();
    const connected = await connectTikTok(owner);
    const account = await connected.account();
    const customer = { id: 'customer-1', name: 'Charles Babbage' };
    const delivery = await signedEvent(account, { type: 'comment', from: customer, text: 'Hi' });
    const { body } = await deliver('TIKTOK', delivery);
    await drainWork('inbound-events');
    const credential = await connected.credential();

    expect(connected.shown).toMatchObject({ messaging: 'CONNECTED' });
    expect(account.subscribedAt).toBeTruthy();
    expect(JSON.stringify(connected.shown)).not.toContain(connected.businessToken.accessToken);
    expect(body).toMatchObject({ received: 1 });
    expect(delivery.body).toContain(connected.businessToken.openId);
    expect(await permission(owner, connected)).toMatchObject({ allowed: true });
    expect(credential?.accessToken).toMatch(/^v1\./);
    expect(await openToken(credential as TokenHolder, 'accessToken')).toBe(
      connected.businessToken.accessToken,
    );
  });

  it('finds a comment that TikTok announces before its API returns it', async () => {
    const owner = await newAccount();
    const connected = await connectTikTok(owner);
    const account = await connected.account();
    const customer = { id: 'customer-2', name: 'Charles Babbage' };
    const path = 'comment/list';
    const body = { code: 0, message: 'OK', data: { comments: [] } };
    await sandbox.addFault({ service, path, mode: 'error', status: 200, body, times: 1 });
    const place = new Date().toISOString();
    const delivery = await signedEvent(account, { type: 'comment', from: customer, text: 'Hi' });
    await deliver('TIKTOK', delivery);
    await drainWork('inbound-events');
    const before = await conversationsOf(owner, account);
    setClock(() => Date.now() + minuteMs);
    await runDueWork();
    const asked = await sandbox.requests({ service, since: place, contains: delivery.eventId });

    expect(before).toEqual([]);
    expect(await conversationsOf(owner, account)).toMatchObject([
      { channel: 'COMMENT', customer, messages: [{ text: 'Hi' }] },
    ]);
    expect(asked.filter(({ path: called }) => called.endsWith('/comment/list/'))).toHaveLength(2);
  });

  it('can be added by PATCH, and replaced by one with another id', async () => {
    const owner = await newAccount();
    const connected = await connectTikTok(owner, false);
    const { businessToken: first } = connected;
    const added = await patch(owner.token, connected, { businessToken: first });
    const second = await tiktok.issueBusinessToken({ userId: `${first.openId}-2` });
    const replaced = await patch(owner.token, connected, { businessToken: second });
    const claimOf = (openId: string) => get(keys.socialAccountClaim('TIKTOK', openId));

    expect(added.body.socialAccount).toMatchObject({ messaging: 'CONNECTED' });
    expect(replaced.body.socialAccount).toMatchObject({ messaging: 'CONNECTED' });
    expect((await connected.credential())?.platformUserId).toBe(second.openId);
    expect(await claimOf(first.openId)).toBeUndefined();
    expect(await claimOf(second.openId)).toMatchObject({ accountId: connected.id });
  });

  it('can only be set by owners and admins', async () => {
    const [owner, member] = await Promise.all([newAccount(), newAccount()]);
    const { params, businessToken, ...connected } = await connectTikTok(owner, false);
    await seat(owner.organizationId, member.userId, 'MEMBER');
    const headers = { 'x-organization-id': owner.organizationId };
    const ask = (body: object) =>
      call(social.updateSocialAccount, { token: member.token, headers, params, body });

    expect((await ask({ businessToken })).status).toBe(403);
    expect((await ask({ platformUserName: 'New' })).status).toBe(200);
    expect((await connected.account()).messaging).toBeUndefined();
  });

  it.each([
    ['a Login Kit token', ({ accessToken }: { accessToken: string }) => ({ accessToken }), 401],
    ["another account's openId", () => ({ openId: 'another' }), 400],
    ['no openId', () => ({ openId: undefined }), 400],
    ['an empty refreshToken', () => ({ refreshToken: '' }), 400],
  ])('with %s is rejected and changes nothing', async (_what, change, status) => {
    const owner = await newAccount();
    const connected = await connectTikTok(owner, false);
    const businessToken = { ...connected.businessToken, ...change(connected.connection) };

    expect((await patch(owner.token, connected, { businessToken })).status).toBe(status);
    expect((await connected.account()).messaging).toBeUndefined();
    expect(await connected.credential()).toBeUndefined();
  });

  it('of an account that another organization uses returns 409', async () => {
    const [owner, other] = await Promise.all([newAccount(), newAccount()]);
    const taken = await connectTikTok(owner);
    const connected = await connectTikTok(other, false);
    const { status } = await patch(other.token, connected, { businessToken: taken.businessToken });

    expect(status).toBe(409);
    expect((await connected.account()).messaging).toBeUndefined();
  });

  it('is rejected for other networks', async () => {
    const { token } = await newAccount();
    const connected = await connectAccount(token);
    const businessToken = { accessToken: 'a', refreshToken: 'b', expiresIn: 60, openId: 'c' };
    const { status, body } = await patch(token, connected, { businessToken });

    expect([status, body.message]).toEqual([400, ['businessToken is not supported for FACEBOOK']]);
  });
});

describe('the two tokens of a TikTok account', () => {
  it('are refreshed separately by the job, each with its own app', async () => {
    const owner = await newAccount();
    const connected = await connectTikTok(owner);
    const { refreshToken } = connected.businessToken;
    const before = await connected.credential();
    setClock(() => Date.now() + 0.9 * dayMs);
    await tokenRefresh(undefined, lambdaContext(300_000));
    const after = await connected.credential();

    expect(await calls(`${api}/tt_user/oauth2/refresh_token/`, refreshToken)).toBe(1);
    expect(after?.tokenVersion).toBe(Number(before?.tokenVersion) + 1);
    expect(after?.accessToken).not.toBe(before?.accessToken);
    expect((await connected.account()).tokenVersion).toBe(1);
    expect(await listComments(await connected.account())).toEqual([]);
  });

  it('do not affect publishing when the token for messages is rejected', async () => {
    const owner = await newAccount();
    const connected = await connectTikTok(owner);
    const { accessToken } = connected.businessToken;
    await tiktok.revokeTokens(accessToken);
    await expect(listComments(await connected.account())).rejects.toMatchObject({
      kind: 'tokenInvalid',
    });
    const { body } = await call(social.listSocialAccounts, { token: owner.token });
    const subjects = (await mailsTo(owner.email)).map(({ text }) => text);

    const { body: health } = await call(getOrganizationHealth, {
      token: owner.token,
      params: { organization_id: owner.organizationId },
    });

    expect(JSON.stringify(health)).toContain('MESSAGING_EXPIRED');
    expect(body.socialAccounts).toMatchObject([{ isActive: true, messaging: 'EXPIRED' }]);
    expect(await permission(owner, connected)).toMatchObject({
      allowed: false,
      reason: 'ACCOUNT_INACTIVE',
    });
    expect(subjects).toMatchObject([expect.stringContaining('Posts are still published')]);
    const renewed = await tiktok.issueBusinessToken({
      userId: connected.connection.platformUserId,
    });
    const { body: patched } = await patch(owner.token, connected, { businessToken: renewed });
    expect(patched.socialAccount).toMatchObject({ messaging: 'CONNECTED' });
    expect(await listComments(await connected.account())).toEqual([]);
  });

  it('do not affect messages when the token for publishing is rejected', async () => {
    const owner = await newAccount();
    const connected = await connectTikTok(owner);
    await tiktok.revokeTokens(connected.connection.accessToken);
    const { body } = await call(social.validateSocialAccountToken, {
      token: owner.token,
      params: connected.params,
      body: {},
    });

    expect(body.validation).toMatchObject({ isValid: false, messaging: 'CONNECTED' });
    expect(await connected.account()).toMatchObject({ isActive: false, messaging: 'CONNECTED' });
    expect(await permission(owner, connected)).toMatchObject({ allowed: true });
    expect(await listComments(await connected.account())).toEqual([]);
  });

  it('are exchanged once, not with every call, while TikTok rejects even new tokens', async () => {
    const owner = await newAccount();
    const connected = await connectTikTok(owner);
    const { openId } = connected.businessToken;
    const place = new Date().toISOString();
    const path = '/business/video/list/';
    await sandbox.addFault({ service, path, mode: 'error', status: 200, body: rejected });
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(listComments(await connected.account())).rejects.toMatchObject({
        kind: 'tokenInvalid',
      });
    }
    const requests = await sandbox.requests({ service, since: place });
    const exchanges = requests.filter(({ path: called }) => called.includes('refresh_token'));

    expect(exchanges).toHaveLength(1);
    expect(await connected.account()).toMatchObject({ isActive: true, messaging: 'EXPIRED' });
    await sandbox.clearFaults();
    const { body } = await call(social.validateSocialAccountToken, {
      token: owner.token,
      params: connected.params,
      body: {},
    });
    expect(body.validation).toMatchObject({ isValid: true, messaging: 'CONNECTED' });
    expect(await connected.credential()).toMatchObject({ isActive: true, platformUserId: openId });
  });

  it('end separately when consent is withdrawn', async () => {
    const owner = await newAccount();
    const connected = await connectTikTok(owner);
    const { takeEvents } = await import('#lib/features/intake/receive-events.ts');
    const { parseEvents } = await import('#lib/vendors/networks/tiktok/events.ts');
    const event = {
      event: 'authorization.removed',
      create_time: Math.floor(Date.now() / 1_000),
      user_openid: connected.businessToken.openId,
      content: '{"reason":1}',
    };
    await takeEvents('TIKTOK', parseEvents(Buffer.from(JSON.stringify(event))));
    await drainWork('inbound-events');

    expect(await connected.account()).toMatchObject({ isActive: true, messaging: 'EXPIRED' });
  });

  it('are removed with the organization', async () => {
    const owner = await newAccount();
    const connected = await connectTikTok(owner);
    await disconnectAllAccounts(owner.organizationId);

    expect(await connected.credential()).toBeUndefined();
    expect(await connected.claim()).toBeUndefined();
  });

  it('are removed together, and the account can be connected again', async () => {
    const owner = await newAccount();
    const connected = await connectTikTok(owner);
    expect((await disconnectSocialAccount(owner.token, connected.id)).status).toBe(200);

    expect(await connected.credential()).toBeUndefined();
    expect(await connected.claim()).toBeUndefined();
    const userId = connected.connection.platformUserId;
    const { refreshToken, ...again } = await connectionBody({
      platform: 'TIKTOK',
      platformUserId: userId,
    });
    const businessToken = await tiktok.issueBusinessToken({ userId });
    const { body } = await connectSocialAccount(owner.token, { ...again, businessToken });
    expect(body.socialAccount).toMatchObject({ id: connected.id, messaging: 'CONNECTED' });
    expect(refreshToken).toBeTruthy();
  });
});
