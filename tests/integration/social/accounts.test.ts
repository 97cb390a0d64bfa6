import { afterEach, describe, expect, it } from 'vitest';
import {
  credentialsOf,
  openToken,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import {
  type NewAccountMetrics,
  planAccountMetrics,
} from '#lib/features/social/metrics/account-metrics.ts';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { put, write } from '#lib/platform/db/write.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { platforms } from '#schemas/platforms.ts';
import {
  getSocialAccountStats,
  listCapabilities,
  listSocialAccounts,
  updateSocialAccount,
} from '#schemas/social.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { storeSocialAccount } from '#tests/support/social-accounts.ts';
import { storedItems } from '#tests/support/table.ts';

afterEach(() => setClock());

async function withAccount(overrides: Partial<SocialAccount> = {}) {
  const owner = await newAccount();
  const account = await storeSocialAccount(owner.organizationId, overrides);

  return { owner, account, params: { account_id: account.id }, token: owner.token };
}

describe('listing accounts', () => {
  it('returns accounts newest first and filters by network and active state', async () => {
    const { owner, account } = await withAccount();
    const asleep = await storeSocialAccount(owner.organizationId, {
      platform: 'TWITTER',
      isActive: false,
      inactiveReason: 'The token was revoked',
    });
    const list = async (query: Record<string, string>) => {
      const { body } = await call(listSocialAccounts, { query, token: owner.token });

      return { ids: body.socialAccounts.map(({ id }: { id: string }) => id), total: body.total };
    };

    expect(await list({})).toEqual({ ids: [asleep.id, account.id], total: 2 });
    expect(await list({ platform: 'FACEBOOK' })).toEqual({ ids: [account.id], total: 1 });
    expect(await list({ isActive: 'false' })).toEqual({ ids: [asleep.id], total: 1 });
    expect(await list({ isActive: 'true' })).toEqual({ ids: [account.id], total: 1 });
    expect(await list({ isActive: 'false', platform: 'FACEBOOK' })).toEqual({ ids: [], total: 0 });
  });

  it('returns metrics only on request, with 0 for unknown values', async () => {
    const { account, token } = await withAccount();
    const statsOf = async (query = {}) =>
      (await call(listSocialAccounts, { query, token })).body.socialAccounts[0].stats;

    expect(await statsOf()).toBeNull();
    expect(await statsOf({ includeStats: 'true' })).toEqual({
      totalPosts: 0,
      totalFollowers: 0,
      totalEngagement: 0,
      lastPostDate: null,
    });
    const lastPostAt = '2026-01-15T09:30:00.000Z';
    await write(...planAccountMetrics(account, {}, { followers: 12, posts: 3, lastPostAt }));
    expect(await statsOf({ includeStats: 'true' })).toEqual({
      totalPosts: 3,
      totalFollowers: 12,
      totalEngagement: 0,
      lastPostDate: lastPostAt,
    });
  });

  it('neither returns tokens nor stores them in plaintext', async () => {
    const { token, account } = await withAccount({
      accessToken: 'tok-clear',
      refreshToken: 'ref-clear',
    });
    const { body } = await call(listSocialAccounts, { token });

    expect(JSON.stringify(body)).not.toMatch(/token"|tok-clear|ref-clear|v1\.local/i);
    expect(JSON.stringify(await storedItems(`ORG#${account.organizationId}`))).not.toMatch(
      /tok-clear|ref-clear/,
    );
  });
});

describe('an encrypted token', () => {
  it('can be decrypted only for its own account, field and tenant', async () => {
    const { account } = await withAccount({ accessToken: 'secret-1', refreshToken: 'secret-2' });
    const { owner: stranger } = await withAccount();
    const { organizationId } = stranger;
    await write(
      put(keys.socialAccount(organizationId, account.id), { ...account, organizationId }),
    );
    const copied = await get<SocialAccount>(keys.socialAccount(organizationId, account.id));

    expect((await credentialsOf(account)).accessToken).toBe('secret-1');
    expect(await openToken(account, 'refreshToken')).toBe('secret-2');
    await expect(credentialsOf(copied as SocialAccount)).rejects.toThrow();
    await expect(credentialsOf({ ...account, id: stranger.organizationId })).rejects.toThrow();
    await expect(
      credentialsOf({ ...account, accessToken: String(account.refreshToken) }),
    ).rejects.toThrow();
  });
});

describe('updating an account', () => {
  it('changes name and permissions independently and records the change', async () => {
    const { account, params, token, owner } = await withAccount({ permissions: ['read'] });
    const patch = async (body: object) =>
      (await call(updateSocialAccount, { params, token, body })).body.socialAccount;

    expect(await patch({})).toMatchObject({ updatedAt: account.updatedAt, permissions: ['read'] });
    expect(await patch({ platformUserName: 'New name' })).toMatchObject({
      platformUserName: 'New name',
      permissions: ['read'],
    });
    expect(await patch({ permissions: ['read', 'write'] })).toMatchObject({
      platformUserName: 'New name',
      permissions: ['read', 'write'],
    });
    expect(await patch({ permissions: null })).toMatchObject({ permissions: [] });
    const { entries } = (
      await call(listAuditLog, { params: { organization_id: owner.organizationId }, token })
    ).body;
    expect(entries.slice(0, 3)).toMatchObject([
      {
        action: 'social_account.updated',
        targetId: account.id,
        details: { fields: ['permissions'] },
      },
      { actorId: owner.userId, details: { fields: ['permissions'] } },
      { details: { fields: ['platformUserName'] } },
    ]);
  });
});

describe('account metrics', () => {
  const at = (date: string) => setClock(() => Date.parse(`${date}T12:00:00.000Z`));

  async function measured(days: Readonly<Record<string, NewAccountMetrics>>) {
    const world = await withAccount();
    for (const [date, figures] of Object.entries(days)) {
      at(date);
      await write(...planAccountMetrics(world.account, {}, figures));
    }
    setClock();
    const stats = (query = {}) =>
      call(getSocialAccountStats, { params: world.params, query, token: world.token });

    return { ...world, stats };
  }

  it('cover the days of the range, with growth in percent from the first to the last', async () => {
    const topPost = { id: 'p2', engagement: 40, reach: 200 };
    const { stats } = await measured({
      '2026-01-01': { followers: 1, engagement: 1, reach: 1 },
      '2026-01-02': { followers: 100, engagement: 50, reach: 1_000, clicks: 10, posts: 4 },
      '2026-01-03': { followers: 110, topPost: { id: 'p1', engagement: 9, reach: 20 } },
      '2026-01-04': { followers: 125, engagement: 40, reach: 400, clicks: 8, posts: 6, topPost },
      '2026-01-05': { followers: 999, engagement: 999, reach: 999 },
    });
    const { body } = await stats({ dateFrom: '2026-01-02', dateTo: '2026-01-04' });

    expect(body.stats).toMatchObject({
      dateRange: { from: '2026-01-02T00:00:00.000Z', to: '2026-01-04T23:59:59.999Z' },
      overview: {
        totalPosts: 6,
        totalFollowers: 125,
        totalEngagement: 40,
        totalReach: 400,
        totalClicks: 8,
      },
      engagement: {
        averageEngagementRate: 7.5,
        averageClickThroughRate: 1.5,
        topEngagingPost: topPost,
      },
      growth: { followerGrowth: 25, engagementGrowth: -20, reachGrowth: -60 },
      trends: [
        { date: '2026-01-02', followers: 100, engagement: 50, reach: 1_000 },
        { date: '2026-01-03', followers: 110, engagement: 0, reach: 0 },
        { date: '2026-01-04', followers: 125, engagement: 40, reach: 400 },
      ],
    });
  });

  it('are zeros without data, and growth from zero is 100 percent', async () => {
    const { stats } = await measured({
      '2026-01-01': { followers: 0 },
      '2026-01-02': { followers: 7 },
    });

    const { body } = await stats({ dateFrom: '2026-01-01', dateTo: '2026-01-02' });
    expect(body.stats.growth).toEqual({ followerGrowth: 100, engagementGrowth: 0, reachGrowth: 0 });
    const empty = (await stats({ dateFrom: '2025-01-01', dateTo: '2025-01-02' })).body.stats;
    expect(empty.trends).toEqual([]);
    expect(empty.overview.totalFollowers).toBe(0);
    expect(empty.engagement.topEngagingPost).toBeNull();
  });

  it('cover at most 90 days, and the last 30 by default', async () => {
    const { stats } = await measured({});
    const today = new Date().toISOString().slice(0, 10);
    const monthAgo = new Date(Date.parse(today) - 29 * dayMs).toISOString();

    expect((await stats({ dateFrom: '2026-01-01', dateTo: '2026-03-31' })).status).toBe(200);
    const tooLong = await stats({ dateFrom: '2026-01-01', dateTo: '2026-04-01' });
    expect(tooLong.status).toBe(400);
    expect(tooLong.body.message).toEqual(['dateFrom must not be more than 90 days before dateTo']);
    expect((await stats({ dateFrom: '2026-02-01', dateTo: '2026-01-01' })).body.message).toEqual([
      'dateTo must not be before dateFrom',
    ]);
    expect((await stats()).body.stats.dateRange).toEqual({
      from: monthAgo,
      to: `${today}T23:59:59.999Z`,
    });
  });

  it('of one day are the last snapshot of each kind', async () => {
    const { account, stats } = await measured({ '2026-01-01': { followers: 5, posts: 2 } });
    at('2026-01-01');
    await write(...planAccountMetrics(account, {}, { followers: 6 }));
    setClock();
    const { body } = await stats({ dateFrom: '2026-01-01', dateTo: '2026-01-01' });

    expect(body.stats.overview).toMatchObject({ totalFollowers: 6, totalPosts: 2 });
    expect(body.stats.trends).toHaveLength(1);
  });
});

describe('network capabilities', () => {
  it('match what the service uses for each network', async () => {
    const { token } = await newAccount();
    const { body } = await call(listCapabilities, { token });

    expect(body.capabilities).toEqual(
      platforms.map((platform) => ({ platform, ...capabilities[platform] })),
    );
  });
});
