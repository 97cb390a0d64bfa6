import { afterEach, describe, expect, it } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { platforms } from '#schemas/platforms.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';
import {
  consentAt,
  consented,
  getOauthSession,
  handedOver,
  newPerson,
  newPlatformUserId,
  prepareConsent,
  receiveOauthCallback,
  sandbox,
  start,
} from './setup.ts';

const unknownState = 'http://localhost:3000/app/social/connect?error=state';

await prepareConsent();
const owner = await newAccount();

afterEach(async () => {
  setClock();
  await sandbox.clearFaults();
});

async function failureOf(sessionId: string) {
  const { oauthSession } = (await getOauthSession(owner.token, { sessionId })).body;

  return [oauthSession.status, oauthSession.error];
}

describe('the return from a network', () => {
  it.each(platforms)('makes the session of %s ready', async (platform) => {
    const person = await newPerson(platform);
    const { authorizationUrl, sessionId } = (await start(owner.token, platform)).body;
    const query = await consentAt(authorizationUrl, 'allow', person);
    const answer = await receiveOauthCallback(platform, query);
    const session = handedOver(answer);
    expect([answer.status, answer.headers.location]).toEqual([
      302,
      `http://localhost:3000/app/social/connect?session=${sessionId}&finish=${session.finish}`,
    ]);
    expect(session.finish).toMatch(/^[\w-]{43}$/);
    const stored = await get(keys.oauthSession(owner.organizationId, sessionId));
    expect(JSON.stringify(stored)).not.toContain(session.finish);
    const { oauthSession } = (await getOauthSession(owner.token, session)).body;
    expect(oauthSession).toMatchObject({ id: sessionId, platform, status: 'READY', error: null });
    expect(oauthSession.choices).toContainEqual(
      expect.objectContaining({ platformUserId: person.accounts[0]?.id, connected: 'NONE' }),
    );
  });

  it('reports that access was denied', async () => {
    const { authorizationUrl, sessionId } = (await start(owner.token, 'LINKEDIN')).body;
    const answer = await receiveOauthCallback(
      'LINKEDIN',
      await consentAt(authorizationUrl, 'deny'),
    );
    expect(answer.headers.location).toContain(`session=${sessionId}`);
    expect(await failureOf(sessionId)).toEqual([
      'FAILED',
      'Access was denied at LinkedIn. Start again and allow it',
    ]);
  });

  it('reports a missing permission', async () => {
    const person = await newPerson('TWITTER', { scopes: ['tweet.read', 'users.read'] });
    const { authorizationUrl, sessionId } = (await start(owner.token, 'TWITTER')).body;
    await receiveOauthCallback('TWITTER', await consentAt(authorizationUrl, 'allow', person));
    expect(await failureOf(sessionId)).toEqual([
      'FAILED',
      'A required permission was not granted at X. Start again and allow all permissions',
    ]);
  });

  it('reports a person without anything to connect', async () => {
    const person = await newPerson('YOUTUBE', { count: 0 });
    const { authorizationUrl, sessionId } = (await start(owner.token, 'YOUTUBE')).body;
    await receiveOauthCallback('YOUTUBE', await consentAt(authorizationUrl, 'allow', person));
    expect(await failureOf(sessionId)).toEqual([
      'FAILED',
      'This person has no account at YouTube that can be connected. Start again as somebody who has',
    ]);
  });

  it('reports an outage of the network', async () => {
    const { authorizationUrl, sessionId } = (await start(owner.token, 'FACEBOOK')).body;
    const query = await consentAt(authorizationUrl);
    await sandbox.addFault({ service: 'facebook', mode: 'down' });
    await receiveOauthCallback('FACEBOOK', query);
    expect(await failureOf(sessionId)).toEqual([
      'FAILED',
      'Facebook is temporarily unavailable. Start again in a few minutes',
    ]);
  });

  it('names the account to reconnect if somebody else gave consent', async () => {
    const { id } = await storeSocialAccount(owner.organizationId, {
      platformUserId: newPlatformUserId(),
      platformUserName: 'Old Engines',
    });
    const { authorizationUrl, sessionId } = (
      await start(owner.token, 'FACEBOOK', { accountId: id })
    ).body;
    const person = await newPerson('FACEBOOK', { count: 2 });
    await receiveOauthCallback('FACEBOOK', await consentAt(authorizationUrl, 'allow', person));
    expect(await failureOf(sessionId)).toEqual([
      'FAILED',
      'Facebook did not grant access to "Old Engines". Start again as the person who manages it',
    ]);
  });

  it('offers all pages, with hostile names as text', async () => {
    const name = '"><script>alert(1)</script>';
    const person = await newPerson('FACEBOOK', { count: 3, name });
    const session = await consented(owner.token, 'FACEBOOK', person);
    const { choices } = (await getOauthSession(owner.token, session)).body.oauthSession;
    expect(choices.map((choice: { name: string }) => choice.name).sort()).toEqual(
      [name, `${name} 2`, `${name} 3`].sort(),
    );
  });
});

describe('an attack on the return from a network', () => {
  it.each([
    ['no state', {}],
    ['an empty state', { state: '', code: 'x' }],
    ['an unknown state', { state: 'x'.repeat(43), code: 'x' }],
    ['the error of an unknown state', { state: 'x'.repeat(43), error: 'access_denied' }],
    ['hostile values', { state: '../../\r\nset-cookie: a=b', code: '{{7*7}}', error: '<script>' }],
    [
      'a target of its own',
      { state: 'https://evil.example', redirect_uri: 'https://evil.example' },
    ],
  ])('redirects to the error page of the app with %s', async (_, query: Record<string, string>) => {
    const answer = await receiveOauthCallback('FACEBOOK', query);
    expect([answer.status, answer.headers.location]).toEqual([302, unknownState]);
  });

  it.each([
    ['a NUL character', { state: 'a\u0000b' }],
    ['a long code', { state: 'a', code: 'x'.repeat(5_000) }],
  ])('is rejected with %s', async (_, query) => {
    expect((await receiveOauthCallback('FACEBOOK', query)).status).toBe(400);
  });

  it('is rejected for an unknown network', async () => {
    const answer = await receiveOauthCallback('evil', { state: 'x' });
    expect([answer.status, answer.body.message[0]]).toEqual([
      400,
      expect.stringMatching(/^platform /),
    ]);
  });

  it('cannot use a state twice, or change the session with an error', async () => {
    const { authorizationUrl } = (await start(owner.token, 'FACEBOOK')).body;
    const query = await consentAt(authorizationUrl);
    const session = handedOver(await receiveOauthCallback('FACEBOOK', query));
    const ready = (await getOauthSession(owner.token, session)).body;
    expect(ready.oauthSession.status).toBe('READY');
    const state = query.state ?? '';
    for (const again of [query, { state, error: 'access_denied' }, { state }]) {
      expect((await receiveOauthCallback('FACEBOOK', again)).headers.location).toBe(unknownState);
    }
    expect((await getOauthSession(owner.token, session)).body).toEqual(ready);
  });

  it('cannot use a state in parallel requests', async () => {
    const { authorizationUrl } = (await start(owner.token, 'FACEBOOK')).body;
    const query = await consentAt(authorizationUrl);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => receiveOauthCallback('FACEBOOK', query)),
    );
    const accepted = answers.filter(({ headers }) => headers.location !== unknownState);
    expect(accepted.length).toBe(1);
  });

  it('cannot use the state of another network, which stays valid', async () => {
    const { authorizationUrl, sessionId } = (await start(owner.token, 'FACEBOOK')).body;
    const query = await consentAt(authorizationUrl);
    expect((await receiveOauthCallback('INSTAGRAM', query)).headers.location).toBe(unknownState);
    expect((await receiveOauthCallback('FACEBOOK', query)).headers.location).toContain(sessionId);
  });

  it('cannot use a state after 15 minutes', async () => {
    const { authorizationUrl, sessionId } = (await start(owner.token, 'FACEBOOK')).body;
    const query = await consentAt(authorizationUrl);
    const startedAt = Date.now();
    setClock(() => startedAt + 15 * 60_000 + 1_000);
    expect((await receiveOauthCallback('FACEBOOK', query)).headers.location).toBe(unknownState);
    expect((await getOauthSession(owner.token, { sessionId })).status).toBe(404);
  });

  it.each(['TWITTER', 'TIKTOK', 'YOUTUBE'] as const)(
    'cannot use the code of another session, by PKCE: %s',
    async (platform) => {
      const victim = (await start(owner.token, platform)).body;
      const attacker = await newAccount();
      const own = (await start(attacker.token, platform)).body;
      const { code = '' } = await consentAt(victim.authorizationUrl);
      const { state = '' } = await consentAt(own.authorizationUrl);
      await receiveOauthCallback(platform, { code, state });
      const { oauthSession } = (await getOauthSession(attacker.token, own)).body;
      expect([oauthSession.status, oauthSession.choices]).toEqual(['FAILED', []]);
    },
  );

  it.each(platforms)('cannot exchange a code twice: %s', async (platform) => {
    const first = (await start(owner.token, platform)).body;
    const second = (await start(owner.token, platform)).body;
    const used = await consentAt(first.authorizationUrl);
    await receiveOauthCallback(platform, used);
    const { state = '' } = await consentAt(second.authorizationUrl);
    await receiveOauthCallback(platform, { state, code: used.code ?? '' });
    expect((await failureOf(second.sessionId))[0]).toBe('FAILED');
  });
});
