import { describe, expect, it } from 'vitest';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { platforms } from '#schemas/platforms.ts';
import { startSocialOauth } from '#schemas/social-oauth.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { storedItems } from '#tests/support/table.ts';
import { prepareConsent, start } from './setup.ts';

await prepareConsent();
const owner = await newAccount();

const withPkce = ['TIKTOK', 'TWITTER', 'YOUTUBE'];

describe('starting an authorization', () => {
  it.each(platforms)(
    'sends the person to %s, with a separate state for each session',
    async (platform) => {
      const { status, body } = await start(owner.token, platform);
      expect(status).toBe(201);
      const url = new URL(body.authorizationUrl);
      const { searchParams } = url;
      expect(searchParams.get('redirect_uri')).toBe(
        `http://localhost:3000/social/oauth/${platform.toLowerCase()}/callback`,
      );
      expect(searchParams.get('state')).toMatch(/^[\w-]{43}$/);
      expect(searchParams.get('code_challenge_method')).toBe(
        withPkce.includes(platform) ? 'S256' : null,
      );
      const lifeMs = Date.parse(body.expiresAt) - Date.now();
      expect(lifeMs).toBeGreaterThan(14 * 60_000);
      expect(lifeMs).toBeLessThanOrEqual(15 * 60_000);
      expect((await fetch(url)).status).toBe(200);
    },
  );

  it('stores the state as a hash, and the verifier encrypted', async () => {
    const { body } = await start(owner.token, 'TWITTER');
    const state = new URL(body.authorizationUrl).searchParams.get('state') ?? '';
    const items = JSON.stringify(await storedItems());
    expect(items).not.toContain(state);
    expect(items).toContain(`OAUTH_STATE#${hashToken(state)}`);
    const session = await get(keys.oauthSession(owner.organizationId, body.sessionId));
    expect(session).toMatchObject({
      status: 'PENDING',
      startedById: owner.userId,
      secret: expect.stringMatching(/^v1\./),
    });
  });

  it('accepts the name of the network in any case', async () => {
    const answer = await call(startSocialOauth, {
      token: owner.token,
      params: { platform: 'YouTube' },
      body: {},
    });
    expect(answer.status).toBe(201);
    expect(answer.body.authorizationUrl).toContain('%2Fyoutube%2Fcallback');
  });

  it('rejects an unknown network', async () => {
    const params = { platform: 'myspace' };
    const { status, body } = await call(startSocialOauth, {
      token: owner.token,
      params,
      body: {},
    });
    expect([status, body.message[0]]).toEqual([400, expect.stringMatching(/^platform must be/)]);
  });

  it('rejects an unknown account and an account of another network', async () => {
    const { id } = await storeSocialAccount(owner.organizationId, { platform: 'TWITTER' });
    const other = await start(owner.token, 'FACEBOOK', { accountId: id });
    expect([other.status, other.body.message]).toEqual([
      400,
      ['accountId must be an account of FACEBOOK'],
    ]);
    const foreign = await storeSocialAccount((await newAccount()).organizationId);
    expect((await start(owner.token, 'FACEBOOK', { accountId: foreign.id })).status).toBe(404);
  });

  it('requests access to messages only at networks with a second token, and for a known account', async () => {
    const { id } = await storeSocialAccount(owner.organizationId);
    const purpose = 'messaging';
    const unsupported = await start(owner.token, 'FACEBOOK', { accountId: id, purpose });
    expect([unsupported.status, unsupported.body.message]).toEqual([
      400,
      ['purpose messaging is not supported for FACEBOOK'],
    ]);
    const without = await start(owner.token, 'TIKTOK', { purpose });
    expect([without.status, without.body.message]).toEqual([
      400,
      ['accountId is required for the purpose messaging'],
    ]);
  });
});
