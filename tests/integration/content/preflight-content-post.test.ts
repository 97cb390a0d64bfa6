import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { openToken } from '#lib/features/social/accounts/token-holder.ts';
import { hourMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { createContentPost, preflightContentPost } from '#schemas/content.ts';
import { connectedAccount, storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { sandbox } from '#tests/support/mails.ts';
import { mediaAt } from '../../unit/vendors/networks/local-servers.ts';
import { bodyFor, contentSetup } from './setup.ts';

const world = await contentSetup();

describe('a preflight check', () => {
  const check = async (details: Readonly<Record<string, unknown>>, account = world.account) => {
    const body = { ...bodyFor(account), ...details };
    const answer = await world.ask(preflightContentPost, { body });
    expect(answer.status).toBe(200);
    const { isReady, checks } = answer.body.preflight;
    const failed = checks.filter(({ passed }: { readonly passed: boolean }) => !passed);

    return { isReady, failed: failed.map(({ check: name }: { readonly check: string }) => name) };
  };

  it('passes for a valid post and publishes nothing', async () => {
    const before = await world.published();

    expect(await check({})).toEqual({ isReady: true, failed: [] });
    expect(await world.published()).toEqual(before);
  });

  it('reports all problems at once', async () => {
    const keyword = randomUUID();
    await world.newPost({ draft: true, keyword });
    const mediaUrls = Array(11).fill('https://example.com/a.jpg');
    const scheduledAt = '2020-01-01T00:00:00Z';
    const found = await check({ platform: 'TWITTER', keyword, mediaUrls, scheduledAt });

    expect(found).toEqual({
      isReady: false,
      failed: ['platform', 'schedule', 'media', 'keyword'],
    });
  });

  it('detects a token that is invalid or expires too early', async () => {
    const dead = await connectedAccount(world.organizationId);
    await sandbox.network('FACEBOOK').revokeTokens((await openToken(dead, 'accessToken')) ?? '');
    const short = await connectedAccount(world.organizationId, {
      tokenExpiresAt: timestamp(hourMs),
    });

    expect((await check({}, dead)).failed).toEqual(['token']);
    expect((await check({ scheduledAt: timestamp(2 * hourMs) }, short)).failed).toEqual(['token']);
  });

  it('detects an Instagram image that is not JPEG, whatever its URL', async () => {
    const account = await connectedAccount(world.organizationId, {
      platform: 'INSTAGRAM',
      platformUserId: `${Date.now()}7`,
    });
    const png = await mediaAt('image/jpeg', Buffer.from('89504e470d0a1a0a', 'hex'));
    const body = { ...bodyFor(account), mediaUrls: ['https://example.com/a.jpg', png] };
    const { checks, isReady } = (await world.ask(preflightContentPost, { body })).body.preflight;
    const problem = 'mediaUrls.1 must be a JPEG image on INSTAGRAM, and is PNG';

    expect(isReady).toBe(false);
    expect(checks).toContainEqual({ check: 'media', passed: false, problem });
    expect(await world.ask(createContentPost, { body })).toMatchObject({
      status: 400,
      body: { message: [problem] },
    });
  });

  it('detects a token without permission to publish', async () => {
    const platformUserId = `page-${randomUUID()}`;
    const { accessToken } = await sandbox
      .network('FACEBOOK')
      .issueTokens({ userId: platformUserId, scopes: ['pages_show_list', 'pages_messaging'] });
    const account = await storeSocialAccount(world.organizationId, { accessToken, platformUserId });

    expect((await check({}, account)).failed).toEqual(['permissions']);
  });
});

describe('a preflight check of the daily quota', () => {
  const image = { mediaUrls: ['https://example.com/engine.jpg'] };
  const video = { mediaUrls: ['https://example.com/engine.mp4'] };

  /** Creates an account whose network reports this many of three daily posts as used. */
  async function accountWith(used: number) {
    const account = await connectedAccount(world.organizationId, {
      platform: 'INSTAGRAM',
      platformUserId: `${Date.now()}${used}`,
    });
    const limit = { quota_usage: used, config: { quota_total: 3, quota_duration: 86_400 } };
    await sandbox.addFault({
      service: 'instagram',
      path: `/${account.platformUserId}/content_publishing_limit`,
      mode: 'error',
      status: 200,
      body: JSON.stringify({ data: [limit] }),
    });

    return account;
  }

  async function quotaOf(account: SocialAccount, details: object) {
    const body = { ...bodyFor(account), ...details };
    const { checks } = (await world.ask(preflightContentPost, { body })).body.preflight;

    return checks.find(({ check }: { readonly check: string }) => check === 'quota').problem;
  }

  it('counts published posts and posts scheduled within the period', async () => {
    const account = await accountWith(1);
    const scheduled = { ...bodyFor(account), ...image, scheduledAt: timestamp(hourMs) };
    await world.newPost(scheduled);
    await world.newPost({ ...scheduled, draft: true });
    const later = { ...image, scheduledAt: timestamp(2 * hourMs) };
    expect(await quotaOf(account, later)).toBeNull();
    await world.newPost(scheduled);

    expect(await quotaOf(account, later)).toBe(
      'Instagram accepts 3 posts per account in 24 hours: 1 used, 2 scheduled',
    );
    expect(await quotaOf(account, { ...image, scheduledAt: timestamp(hourMs / 2) })).toBeNull();
    expect(await quotaOf(account, image)).toBeNull();
    // A day later, neither post counts.
    expect(await quotaOf(account, { ...image, scheduledAt: timestamp(26 * hourMs) })).toBeNull();
  });

  it('detects a quota that is used up today but not tomorrow', async () => {
    const account = await accountWith(3);
    setClock(() => Date.now() - 3 * hourMs);
    await world.newPost({ ...bodyFor(account), ...image });
    setClock();

    expect(await quotaOf(account, image)).toMatch(/^Instagram accepts 3 posts/);
    expect(
      await quotaOf(account, { ...image, scheduledAt: timestamp(20 * hourMs) }),
    ).not.toBeNull();
    // The post of three hours ago no longer counts.
    expect(await quotaOf(account, { ...image, scheduledAt: timestamp(22 * hourMs) })).toBeNull();
    expect(await quotaOf(account, { ...image, scheduledAt: timestamp(25 * hourMs) })).toBeNull();
  });

  it('reports a used-up TikTok quota, for which TikTok returns no number', async () => {
    const account = await connectedAccount(world.organizationId, {
      platform: 'TIKTOK',
      platformUserId: `${Date.now()}4`,
    });
    expect(await quotaOf(account, video)).toBeNull();
    await sandbox.addFault({
      service: 'tiktok',
      path: '/creator_info/',
      mode: 'error',
      status: 403,
      body: JSON.stringify({ data: {}, error: { code: 'spam_risk_too_many_posts' } }),
    });

    expect(await quotaOf(account, video)).toBe(
      'TikTok accepts no more posts from this account today',
    );
    const tomorrow = { ...video, scheduledAt: timestamp(25 * hourMs) };
    expect(await quotaOf(account, tomorrow)).toBeNull();
  });
});
