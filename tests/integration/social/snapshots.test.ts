import { describe, expect, it } from 'vitest';
import { handler as metricsSnapshot } from '#functions/jobs/metrics-snapshot.ts';
import type { DailyAccountMetrics } from '#lib/features/social/metrics/account-metrics.ts';
import { dayMs, hourMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import {
  disconnectSocialAccount,
  getSocialAccountStats,
  listSocialAccounts,
  syncSocialAccount,
} from '#schemas/social.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call, lambdaContext } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { networkOf } from '#tests/support/networks.ts';
import { connectAccount } from '#tests/support/social-accounts.ts';
import { drainWork } from '#tests/support/work.ts';

const facebook = sandbox.network('FACEBOOK');

async function runJob(): Promise<number> {
  const { planned } = await metricsSnapshot(undefined, lambdaContext(300_000));
  await drainWork();

  return planned;
}

async function connected() {
  const owner = await newAccount();
  const account = await connectAccount(owner.token);
  const metricsOf = (date: string) =>
    get<DailyAccountMetrics>(keys.accountStats(account.organizationId, account.id, date));

  return { owner, account, token: owner.token, params: account.params, metricsOf };
}

type Connected = Awaited<ReturnType<typeof connected>>;

/** Creates a post for the account with the given metrics. */
async function post({ account }: Connected, metrics: Record<string, number>): Promise<string> {
  const network = networkOf('FACEBOOK');
  const publication = { text: 'New engines', mediaUrls: [] };
  const { handle } = await network.prepare(account, publication);
  const outcome = await network.commit(account, publication, handle);
  const id = 'platformPostId' in outcome ? outcome.platformPostId : '';
  await facebook.setMetrics(id, metrics);

  return id;
}

async function statsOf({ token }: Connected) {
  const { body } = await call(listSocialAccounts, { token, query: { includeStats: 'true' } });

  return body.socialAccounts[0].stats;
}

describe('a new account', () => {
  it('has its first metrics without waiting for the job', async () => {
    const world = await connected();
    await drainWork();

    expect(await statsOf(world)).toMatchObject({ totalFollowers: 1_000 });
  });
});

describe('the metrics-snapshot job', () => {
  it('stores the metrics of every account in each run, with one item per day', async () => {
    const world = await connected();
    const { account, metricsOf, token, params } = world;
    const day = (offset: number) =>
      new Date(Date.now() + offset * dayMs).toISOString().slice(0, 10);
    await drainWork();
    await facebook.setAccount(account.platformUserId, { followers: 1_100 });
    expect(await runJob()).toBeGreaterThanOrEqual(1);
    expect((await metricsOf(day(0)))?.followers).toBe(1_100);
    setClock(() => Date.now() + dayMs);
    await facebook.setAccount(account.platformUserId, { followers: 1_375 });
    await runJob();
    setClock();
    const query = { dateFrom: day(0), dateTo: day(1) };
    const { stats } = (await call(getSocialAccountStats, { token, params, query })).body;

    expect((await metricsOf(day(0)))?.followers).toBe(1_100);
    expect(stats.trends.map(({ followers }: { followers: number }) => followers)).toEqual([
      1_100, 1_375,
    ]);
    expect(stats.growth.followerGrowth).toBe(25);
  });

  it('schedules each account once in overlapping runs, and no disconnected account', async () => {
    const { token, params } = await connected();
    const gone = await connected();
    await call(disconnectSocialAccount, { token: gone.token, params: gone.params });
    await drainWork();
    const alone = await runJob();
    const [one, other] = await Promise.all([
      metricsSnapshot(undefined, lambdaContext(300_000)),
      metricsSnapshot(undefined, lambdaContext(300_000)),
    ]);

    expect(one.planned + other.planned).toBeGreaterThanOrEqual(alone);
    expect(one.planned + other.planned).toBeLessThanOrEqual(2 * alone);
    await drainWork();
    await call(disconnectSocialAccount, { token, params });
    await drainWork();
    expect(await runJob()).toBe(alone - 1);
  });

  it('continues where it ran out of time', async () => {
    await connected();
    const none = await metricsSnapshot(undefined, lambdaContext(1_000));

    expect(none.planned).toBe(0);
    expect(await runJob()).toBeGreaterThanOrEqual(1);
  });

  it('keeps the metrics while a network is down, and updates them afterwards', async () => {
    const world = await connected();
    const today = new Date().toISOString().slice(0, 10);
    await drainWork();
    await facebook.setAccount(world.account.platformUserId, { followers: 7 });
    await sandbox.addFault({ service: 'facebook', mode: 'down' });
    await runJob();
    expect((await world.metricsOf(today))?.followers).toBe(1_000);
    await sandbox.clearFaults();
    setClock(() => Date.now() + hourMs);
    await runJob();

    expect((await statsOf(world)).totalFollowers).toBe(7);
  });
});

describe('syncing posts', () => {
  it('counts posts and engagement, in total or since the last sync', async () => {
    const world = await connected();
    const { token, params, account } = world;
    await post(world, { likes: 5, comments: 2 });
    const top = await post(world, { likes: 20, comments: 10, shares: 3, clicks: 9, reach: 400 });
    const sync = async (syncType: string) =>
      (await call(syncSocialAccount, { token, params, body: { syncType } })).body.syncResult;

    expect(await sync('full')).toMatchObject({
      postsSynced: 2,
      followersSynced: 1_000,
      engagementSynced: 40,
    });
    expect(await sync('incremental')).toMatchObject({ postsSynced: 0, engagementSynced: 0 });
    expect(await sync('full')).toMatchObject({ postsSynced: 0 });
    const { stats } = (await call(getSocialAccountStats, { token, params })).body;
    expect(stats.engagement.topEngagingPost).toEqual({ id: top, engagement: 33, reach: 400 });
    expect(stats.overview.totalPosts).toBe(2);
    expect((await statsOf(world)).lastPostDate).toEqual(expect.any(String));
    expect(account.id).toBe(stats.socialAccountId);
  });

  it('returns 403 when the token lacks permission, and keeps the account active', async () => {
    const { token } = await newAccount();
    const { params } = await connectAccount(token, { scopes: ['pages_show_list'] });
    const answer = await call(syncSocialAccount, { token, params, body: {} });

    expect(answer.status).toBe(403);
    expect(answer.body.message).toBe('Insufficient permissions for this operation');
    const { socialAccounts } = (await call(listSocialAccounts, { token })).body;
    expect(socialAccounts[0].isActive).toBe(true);
  });

  it('returns 502 while the network is down, and 401 when the token is invalid', async () => {
    const { token, params, account } = await connected();
    await sandbox.addFault({ service: 'facebook', mode: 'down' });
    expect((await call(syncSocialAccount, { token, params, body: {} })).status).toBe(502);
    await sandbox.clearFaults();
    await facebook.revokeTokens(account.accessToken);

    expect((await call(syncSocialAccount, { token, params, body: {} })).status).toBe(401);
  });
});
