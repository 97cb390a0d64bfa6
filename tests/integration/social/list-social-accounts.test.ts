import { describe, expect, it } from 'vitest';
import { planAccountMetrics } from '#lib/features/social/metrics/account-metrics.ts';
import { write } from '#lib/platform/db/write.ts';
import { listSocialAccounts } from '#schemas/social.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { call } from '#tests/support/api.ts';
import { storedItems } from '#tests/support/table.ts';
import { withAccount } from './stored-account.ts';

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
