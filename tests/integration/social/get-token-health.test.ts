import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs, hourMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { createContentPost } from '#schemas/content.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';
import {
  getTokenHealth,
  refreshSocialAccountToken,
  validateSocialAccountToken,
} from '#schemas/social.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { withAccount } from './expiring-tokens.ts';
import { connectOauthSession, consented, newPerson, prepareConsent, start } from './setup.ts';

beforeAll(prepareConsent);

async function healthOf({ token }: Account, accountId: string) {
  const answer = await call(getTokenHealth, { token, params: { account_id: accountId } });
  expect(answer.status).toBe(200);

  return answer.body.tokenHealth;
}

/** An account that can publish text, with a token that expires in ten days. */
async function expiringAccount(
  owner: Account,
  { platform = 'LINKEDIN', ...options }: { platform?: Platform; refreshToken?: string } = {},
) {
  return storeSocialAccount(owner.organizationId, {
    platform,
    platformUserId: `urn:li:person:${newId()}`,
    tokenExpiresAt: timestamp(10 * dayMs),
    ...options,
  });
}

/** Schedules a post this many days from now. */
async function schedule(
  { token, organizationId }: Account,
  { id, platform }: { readonly id: string; readonly platform: Platform },
  days: number,
  isDraft = false,
) {
  const { status } = await call(createContentPost, {
    token,
    params: { organization_id: organizationId },
    body: {
      socialAccountId: id,
      platform,
      content: 'New engines are here',
      ...(isDraft ? { draft: true } : { scheduledAt: timestamp(days * dayMs) }),
    },
  });
  expect(status).toBe(201);
}

describe('the health of a token', () => {
  it.each([
    ['FACEBOOK', 'META_PAGE', false],
    ['INSTAGRAM', 'INSTAGRAM_LONG', true],
    ['TIKTOK', 'ROTATING', true],
    ['TWITTER', 'ROTATING', true],
    ['LINKEDIN', 'LINKEDIN', true],
    ['YOUTUBE', 'GOOGLE', true],
  ] as const)('on %s has the token family %s', async (platform, family, refreshable) => {
    const owner = await newAccount();
    const { id } = await storeSocialAccount(owner.organizationId, {
      platform,
      refreshToken: 'again',
    });

    expect(await healthOf(owner, id)).toEqual({
      family,
      refreshable,
      expiresAt: null,
      missingPermissions: [],
      postsAtRisk: 0,
      lastRefreshAt: null,
      lastError: null,
    });
  });

  it.each(platforms)(
    'lists the permissions that %s was asked for and did not grant',
    async (platform) => {
      const owner = await newAccount();
      const { authorizationUrl } = (await start(owner.token, platform)).body;
      const asked = (new URL(authorizationUrl).searchParams.get('scope') ?? '').split(/[ ,]/);
      const [first = '', ...others] = asked;
      const missing = async (permissions: readonly string[]) => {
        const { id } = await storeSocialAccount(owner.organizationId, { platform, permissions });

        return (await healthOf(owner, id)).missingPermissions;
      };

      expect(asked.length).toBeGreaterThan(2);
      expect(await missing([first])).toEqual(others);
      expect(await missing(['another'])).toEqual(asked);
      expect(await missing(others)).toEqual([first]);
      expect(await missing(asked)).toEqual([]);
      expect(await missing([])).toEqual([]);
    },
  );

  it.each(platforms)(
    'lists no missing permission of %s after a complete consent',
    async (platform) => {
      const owner = await newAccount();
      const person = await newPerson(platform);
      const session = await consented(owner.token, platform, person);
      const { body } = await connectOauthSession(owner.token, session, [
        String(person.accounts[0]?.id),
      ]);
      const [{ id, permissions }] = body.socialAccounts;

      expect(permissions.length).toBeGreaterThan(2);
      expect((await healthOf(owner, id)).missingPermissions).toEqual([]);
    },
  );

  it.each([
    [
      'INSTAGRAM',
      ['instagram_basic', 'instagram_content_publish', 'instagram_manage_comments'],
      ['instagram_business_manage_insights', 'instagram_business_manage_messages'],
    ],
    ['LINKEDIN', ['w_member_social'], ['r_organization_social', 'rw_organization_admin']],
    [
      'YOUTUBE',
      ['https://www.googleapis.com/auth/youtube'],
      ['https://www.googleapis.com/auth/yt-analytics.readonly'],
    ],
  ] as const)(
    'recognizes permissions of %s that include others',
    async (platform, granted, missing) => {
      const owner = await newAccount();
      const { id } = await storeSocialAccount(owner.organizationId, {
        platform,
        permissions: granted,
      });

      expect((await healthOf(owner, id)).missingPermissions).toEqual(missing);
    },
  );

  it('counts the scheduled posts of the account that are due after the token expires', async () => {
    const owner = await newAccount();
    const account = await expiringAccount(owner);
    const other = await expiringAccount(owner);
    for (const days of [9, 11, 30]) {
      await schedule(owner, account, days);
    }
    await schedule(owner, account, 0, true);
    await schedule(owner, other, 12);

    expect(await healthOf(owner, account.id)).toMatchObject({
      expiresAt: account.tokenExpiresAt,
      refreshable: false,
      postsAtRisk: 2,
    });
  });

  it('counts no posts while the token is renewed, and all once the account is inactive', async () => {
    const owner = await newAccount();
    const account = await expiringAccount(owner, { refreshToken: 'again' });
    await schedule(owner, account, 9);
    await schedule(owner, account, 11);
    expect(await healthOf(owner, account.id)).toMatchObject({ refreshable: true, postsAtRisk: 0 });
    const inactiveReason = 'The network rejected the token renewal';
    await write(
      change(keys.socialAccount(owner.organizationId, account.id), {
        set: { isActive: false, inactiveReason },
      }),
    );

    expect(await healthOf(owner, account.id)).toMatchObject({
      postsAtRisk: 2,
      lastError: inactiveReason,
    });
  });

  it('shows the last refresh, and the failure of the last one until it succeeds', async () => {
    const { owner, account, params } = await withAccount({ endsInMs: hourMs });
    const refresh = async () =>
      (await call(refreshSocialAccountToken, { token: owner.token, params, body: {} })).status;
    await sandbox.addFault({ service: 'twitter', path: 'token', mode: 'down' });
    expect(await refresh()).toBe(502);
    const failed = await healthOf(owner, account.id);
    expect(failed.lastRefreshAt).toBeNull();
    expect(failed.lastError).toEqual(expect.stringMatching(/\w/));
    await sandbox.clearFaults();
    const begin = Date.now();
    expect(await refresh()).toBe(200);

    const { lastRefreshAt, lastError, expiresAt } = await healthOf(owner, account.id);
    expect(lastError).toBeNull();
    expect(Date.parse(lastRefreshAt)).toBeGreaterThanOrEqual(begin);
    expect(Date.parse(expiresAt)).toBeGreaterThan(begin + hourMs);
    await call(validateSocialAccountToken, { token: owner.token, params, body: {} });
    expect((await healthOf(owner, account.id)).lastRefreshAt).toBe(lastRefreshAt);
  });
});
