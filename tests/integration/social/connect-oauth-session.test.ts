import { afterEach, describe, expect, it } from 'vitest';
import { openToken } from '#lib/features/social/accounts/token-holder.ts';
import { setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { createContentPost, getContentPost } from '#schemas/content.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { platforms } from '#schemas/platforms.ts';
import { listSocialAccounts } from '#schemas/social.ts';
import { newOffer, storedFinish, storeOAuthSession } from '#scripts/fixtures/oauth-sessions.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { type Account, newAccount, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { connectAccount } from '#tests/support/social-accounts.ts';
import { storedItems } from '#tests/support/table.ts';
import { stored } from './connections.ts';
import {
  connectOauthSession,
  consentAt,
  consented,
  getOauthSession,
  handedOver,
  newPerson,
  prepareConsent,
  receiveOauthCallback,
  sandbox,
  start,
} from './setup.ts';

await prepareConsent();
const owner = await newAccount();

afterEach(async () => {
  setClock();
  await sandbox.clearFaults();
});

async function accountsOf({ token }: Account) {
  return (await call(listSocialAccounts, { token })).body.socialAccounts;
}

async function auditOf({ token, organizationId }: Account) {
  const params = { organization_id: organizationId };

  return (await call(listAuditLog, { token, params })).body.entries;
}

async function readySession(count = 1) {
  const offers = await Promise.all(Array.from({ length: count }, () => newOffer()));
  const { id } = await storeOAuthSession(owner.organizationId, { offers });

  return {
    session: { sessionId: id, finish: storedFinish },
    ids: offers.map(({ choice }) => choice.platformUserId),
  };
}

describe('connecting the accounts of a session', () => {
  it.each(platforms)('connects an account of %s', async (platform) => {
    const account = await newAccount();
    const person = await newPerson(platform);
    const [own] = person.accounts;
    const session = await consented(account.token, platform, person);
    const { status, body } = await connectOauthSession(account.token, session, [String(own?.id)]);
    expect([status, body.failures]).toEqual([201, []]);
    expect(body.socialAccounts).toMatchObject([
      { platform, platformUserId: own?.id, platformUserName: own?.name, isActive: true },
    ]);
    const [{ id }] = body.socialAccounts;
    expect((await accountsOf(account)).map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await auditOf(account))[0]).toMatchObject({
      action: 'social_account.connected',
      actorId: account.userId,
      targetId: id,
    });
    expect((await getOauthSession(account.token, session)).body.oauthSession).toMatchObject({
      status: 'DONE',
      choices: expect.arrayContaining([
        expect.objectContaining({ platformUserId: own?.id, connected: 'HERE' }),
      ]),
    });
  });

  it('connects several accounts, and reports the accounts that cannot be connected', async () => {
    const { session, ids } = await readySession(4);
    const [first, here, elsewhere, last] = ids;
    await storeSocialAccount(owner.organizationId, { platformUserId: String(here) });
    await storeSocialAccount((await newAccount()).organizationId, {
      platformUserId: String(elsewhere),
    });
    const wanted = [first, here, elsewhere, 'not-offered', last, first].map(String);
    const { status, body } = await connectOauthSession(owner.token, session, wanted);
    expect(status).toBe(201);
    expect(
      body.socialAccounts.map(({ platformUserId }: { platformUserId: string }) => platformUserId),
    ).toEqual([first, last]);
    const taken = { statusCode: 409, message: 'Social account already connected' };
    expect(body.failures).toEqual([
      { platformUserId: here, ...taken },
      { platformUserId: elsewhere, ...taken },
      {
        platformUserId: 'not-offered',
        statusCode: 404,
        message: "Social account not found or you don't have access",
      },
    ]);
  });

  it('connects accounts that share one token', async () => {
    const account = await newAccount();
    const person = await newPerson('LINKEDIN', { count: 3 });
    const ids = person.accounts.map(({ id }) => id);
    const session = await consented(account.token, 'LINKEDIN', person);
    const { status, body } = await connectOauthSession(account.token, session, ids);
    expect([status, body.failures, body.socialAccounts.length]).toEqual([201, [], 3]);
  });

  it('ignores names that objects inherit', async () => {
    const { session } = await readySession();
    const ids = ['constructor', '__proto__', 'toString'];
    expect((await connectOauthSession(owner.token, session, ids)).status).toBe(404);
  });

  it('leaves the session READY if no account was connected', async () => {
    const { session, ids } = await readySession();
    const failed = await connectOauthSession(owner.token, session, ['not-offered']);
    expect([failed.status, failed.body.failures.length]).toEqual([404, 1]);
    await sandbox.addFault({ service: 'facebook', mode: 'down' });
    expect((await connectOauthSession(owner.token, session, ids)).status).toBe(502);
    await sandbox.clearFaults();
    expect((await connectOauthSession(owner.token, session, ids)).status).toBe(201);
  });

  it('rejects a session that is not READY', async () => {
    const { session, ids } = await readySession(2);
    await connectOauthSession(owner.token, session, [String(ids[0])]);
    const again = await connectOauthSession(owner.token, session, [String(ids[1])]);
    expect([again.status, again.body.code, again.body.state, again.body.message]).toEqual([
      409,
      'WRONG_STATE',
      'DONE',
      'The OAuth session has already connected accounts. Start again',
    ]);
    for (const status of ['PENDING', 'FAILED'] as const) {
      const { id } = await storeOAuthSession(owner.organizationId, { status });
      const session = { sessionId: id, finish: storedFinish };
      const { status: answered, body } = await connectOauthSession(owner.token, session, ['1']);
      expect([answered, body.code, body.state]).toEqual([409, 'WRONG_STATE', status]);
    }
  });

  it.each([
    ['none', []],
    ['more than 20', Array.from({ length: 21 }, (_, index) => `id-${index}`)],
  ])('rejects the request to connect %s', async (_, ids) => {
    const { session } = await readySession();
    const { status, body } = await connectOauthSession(owner.token, session, ids);
    expect([status, body.message[0]]).toEqual([400, expect.stringMatching(/^platformUserIds /)]);
  });

  it('lets only one of several parallel requests connect', async () => {
    const { session, ids } = await readySession(5);
    const answers = await Promise.all(
      ids.map((id) => connectOauthSession(owner.token, session, [id])),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('lets only one of 20 equal requests connect', async () => {
    const { session, ids } = await readySession();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => connectOauthSession(owner.token, session, ids)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
  });

  it('requires the secret of the browser that came back from the network', async () => {
    const { session, ids } = await readySession();
    for (const finish of [{}, { finish: '' }, { finish: storedFinish.slice(1) }]) {
      const { status, body } = await connectOauthSession(
        owner.token,
        { sessionId: session.sessionId, ...finish },
        ids,
      );
      expect([status, body.code]).toEqual([403, 'CONSENT_PROOF_INVALID']);
    }
    expect((await connectOauthSession(owner.token, session, ids)).status).toBe(201);
    const { sessionId } = session;
    expect((await connectOauthSession(owner.token, { sessionId }, ids)).status).toBe(409);
  });

  it('cannot connect the accounts of a person who was sent the authorization', async () => {
    const attacker = await newAccount();
    const victim = await newPerson('FACEBOOK');
    const { authorizationUrl, sessionId } = (await start(attacker.token, 'FACEBOOK')).body;
    const query = await consentAt(authorizationUrl, 'allow', victim);
    const { finish } = handedOver(await receiveOauthCallback('FACEBOOK', query));
    const ids = [String(victim.accounts[0]?.id)];
    const { status } = await connectOauthSession(attacker.token, { sessionId }, ids);
    expect(status).toBe(403);
    expect((await getOauthSession(attacker.token, { sessionId })).status).toBe(403);
    expect(await accountsOf(attacker)).toEqual([]);
    expect(JSON.stringify(await storedItems())).not.toContain(finish);
  });

  it('can be completed by another admin, but not by a user of another organization', async () => {
    const { session, ids } = await readySession();
    const stranger = await newAccount();
    expect((await connectOauthSession(stranger.token, session, ids)).status).toBe(404);
    const admin = await newMember(owner, 'ADMIN');
    const headers = { 'x-organization-id': owner.organizationId };
    expect((await connectOauthSession(admin.token, session, ids, headers)).status).toBe(201);
    expect((await auditOf(owner))[0].actorId).toBe(admin.userId);
  });

  it('rejects an expired session', async () => {
    const { session, ids } = await readySession();
    const startedAt = Date.now();
    setClock(() => startedAt + 15 * 60_000 + 2_000);
    expect((await connectOauthSession(owner.token, session, ids)).status).toBe(404);
  });
});

describe('reconnecting an account', () => {
  it('keeps the id, the refresh token and everything that refers to it', async () => {
    const account = await newAccount();
    const person = await newPerson('YOUTUBE');
    const [channel] = person.accounts;
    const before = await connectAccount(account.token, {
      platform: 'YOUTUBE',
      platformUserId: String(channel?.id),
    });
    const { contentPost } = (
      await call(createContentPost, {
        token: account.token,
        params: { organization_id: account.organizationId },
        body: {
          platform: 'YOUTUBE',
          socialAccountId: before.id,
          content: 'New engines',
          mediaUrls: ['https://example.com/engines.mp4'],
          scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
        },
      })
    ).body;
    await write(
      change(keys.socialAccount(account.organizationId, before.id), {
        set: { isActive: false, inactiveReason: 'The token was revoked' },
      }),
    );
    const silent = { ...person, refreshToken: false };
    await sandbox.network('YOUTUBE').addPerson(silent);
    const session = await consented(account.token, 'YOUTUBE', person, { accountId: before.id });
    const { choices } = (await getOauthSession(account.token, session)).body.oauthSession;
    expect(choices).toMatchObject([{ platformUserId: channel?.id, connected: 'HERE' }]);

    const { status, body } = await connectOauthSession(account.token, session, [
      String(channel?.id),
    ]);
    expect(status).toBe(201);
    expect(body.socialAccounts).toMatchObject([
      { id: before.id, isActive: true, inactiveReason: null },
    ]);
    const after = await stored({ organizationId: account.organizationId, id: before.id });
    expect(after && (await openToken(after, 'refreshToken'))).toBe(before.refreshToken);
    expect(after && (await openToken(after, 'accessToken'))).not.toBe(before.accessToken);
    const params = { organization_id: account.organizationId, post_id: contentPost.id };
    const kept = await call(getContentPost, { token: account.token, params });
    expect(kept.body.contentPost).toMatchObject({
      status: 'SCHEDULED',
      socialAccountId: before.id,
    });
    expect((await auditOf(account))[0]).toMatchObject({
      action: 'social_account.reconnected',
      targetId: before.id,
    });
  });

  it('replaces the tokens of an active account', async () => {
    const account = await newAccount();
    const person = await newPerson('FACEBOOK');
    const platformUserId = String(person.accounts[0]?.id);
    const before = await connectAccount(account.token, { platformUserId });
    const first = await stored(before);
    const session = await consented(account.token, 'FACEBOOK', person, { accountId: before.id });
    expect((await connectOauthSession(account.token, session, [platformUserId])).status).toBe(201);
    const after = await stored(before);
    expect(after?.tokenVersion).toBe(Number(first?.tokenVersion) + 1);
    expect(after?.accessToken).not.toBe(first?.accessToken);
  });

  it('leaves the account unchanged if somebody else gives consent', async () => {
    const account = await newAccount();
    const before = await connectAccount(account.token, {});
    const first = await stored(before);
    const person = await newPerson('FACEBOOK');
    const session = await consented(account.token, 'FACEBOOK', person, { accountId: before.id });
    const answer = await connectOauthSession(account.token, session, [
      String(person.accounts[0]?.id),
    ]);
    expect(answer.status).toBe(409);
    expect(await stored(before)).toEqual(first);
    expect((await accountsOf(account)).length).toBe(1);
  });

  it('gives a TikTok account its token for messages', async () => {
    const account = await newAccount();
    const { id } = await connectAccount(account.token, { platform: 'TIKTOK' });
    const person = await newPerson('TIKTOK');
    const body = { accountId: id, purpose: 'messaging' };
    const session = await consented(account.token, 'TIKTOK', person, body);
    const { choices } = (await getOauthSession(account.token, session)).body.oauthSession;
    const answer = await connectOauthSession(account.token, session, [choices[0].platformUserId]);
    expect(answer.status).toBe(201);
    expect(answer.body.socialAccounts).toMatchObject([{ id, messaging: 'CONNECTED' }]);
  });
});
