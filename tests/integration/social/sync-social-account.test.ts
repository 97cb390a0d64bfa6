import { describe, expect, it } from 'vitest';
import { listSocialAccounts, syncSocialAccount } from '#schemas/social.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { connectAccount } from '#tests/support/social-accounts.ts';

const facebook = sandbox.network('FACEBOOK');

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

  it('skips the parts that the request excludes', async () => {
    const { token } = await newAccount();
    const { params } = await connectAccount(token);
    const nothing = { includePosts: false, includeFollowers: false, includeEngagement: false };
    const { body } = await call(syncSocialAccount, { params, token, body: nothing });

    expect(body.syncResult).toMatchObject({ postsSynced: 0, followersSynced: 0 });
  });
});
