import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { handler as contentPublish } from '#functions/jobs/content-publish.ts';
import { findPostIdByPlatformId } from '#lib/features/content/posts/published-claim.ts';
import { publishDuePost } from '#lib/features/content/publishing/publish-account.ts';
import { takeEvents } from '#lib/features/intake/receive-events.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { openToken } from '#lib/features/social/accounts/token-holder.ts';
import { hourMs, minuteMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { put, write } from '#lib/platform/db/write.ts';
import { newWebhookEndpoint } from '#lib/platform/webhooks/endpoint-secrets.ts';
import { deleteContentPost, updateContentPost } from '#schemas/content.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import {
  connectSocialAccount,
  disconnectSocialAccount,
  syncSocialAccount,
} from '#schemas/social.ts';
import {
  connectedAccount,
  connectionBody,
  newPlatformUserId,
  storeSocialAccount,
} from '#scripts/fixtures/social-accounts.ts';
import { sandbox } from '#tests/support/mails.ts';
import { networkOf } from '#tests/support/networks.ts';
import { type Item, storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { fakeNetwork } from './fake-network.ts';
import { bodyFor, contentSetup } from './setup.ts';

const world = await contentSetup();

const inHalfAnHour = () => timestamp(30 * minuteMs);

async function passHalfAnHour(): Promise<void> {
  setClock(() => Date.now() + 31 * minuteMs);
  await contentPublish();
  await drainWork('content-publishing');
}

describe('tokens', () => {
  it('are refreshed once before publishing when they expired after scheduling', async () => {
    const platformUserId = `${Date.now()}`;
    const network = sandbox.network('TWITTER');
    const tokens = await network.issueTokens({ userId: platformUserId });
    const account = await storeSocialAccount(world.organizationId, {
      platform: 'TWITTER',
      platformUserId,
      ...tokens,
      tokenExpiresAt: timestamp(10 * minuteMs),
    });
    const details = { ...bodyFor(account), scheduledAt: inHalfAnHour() };
    const posts = [
      await world.newPost(details),
      await world.newPost({ ...details, content: `Second ${randomUUID()}` }),
    ];
    const since = new Date().toISOString();
    await passHalfAnHour();

    const texts = (await network.posts(platformUserId)).map(({ text }) => text);
    expect(texts.toSorted()).toEqual(posts.map(({ content }) => content).toSorted());
    const calls = await sandbox.requests({ service: 'twitter', since, limit: 1_000 });
    expect(calls.filter(({ path }) => path === '/2/oauth2/token')).toHaveLength(1);
  });

  it('fail the post with their own code when the network revoked them', async () => {
    const account = await connectedAccount(world.organizationId);
    const post = await world.newPost({ ...bodyFor(account), scheduledAt: inHalfAnHour() });
    const token = (await openToken(account, 'accessToken')) ?? '';
    await sandbox.network('FACEBOOK').revokeTokens(token);
    await passHalfAnHour();

    expect(await world.readPost(post.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'TOKEN_INVALID',
    });
  });
});

describe("the account's webhook", () => {
  it('receives each publication and each failure once', async () => {
    const account = await connectedAccount(world.organizationId);
    const { endpoint } = await newWebhookEndpoint(
      world.organizationId,
      account.id,
      'https://hooks.example.com/',
    );
    await write(put(keys.webhookEndpoint(world.organizationId, account.id), endpoint));
    const published = await world.newPost(bodyFor(account));
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'hang-after', times: 1 });
    const failed = await world.newPost(bodyFor(account));
    const items = await storedItems(`ORG#${world.organizationId}#WEBHOOK_DELIVERIES`);
    const bodies = items
      .filter(({ sourceId, body }) => sourceId === account.id && body !== undefined)
      .map(({ body }) => JSON.parse(String(body)));

    expect(bodies.map(({ type }) => type)).toEqual(['content.published', 'content.failed']);
    expect(bodies[0].data).toMatchObject({
      id: published.id,
      platformPostId: published.platformPostId,
    });
    expect(bodies[1].data).toMatchObject({ id: failed.id, failureCode: 'OUTCOME_UNKNOWN' });
  });
});

describe('disconnecting an account', () => {
  it('cancels its scheduled posts with a reason', async () => {
    const account = await connectedAccount(world.organizationId);
    const post = await world.newPost({ ...bodyFor(account), scheduledAt: inHalfAnHour() });
    const params = { account_id: account.id };
    expect((await world.ask(disconnectSocialAccount, { params })).status).toBe(200);
    await drainWork('account-disconnection');

    expect(await world.readPost(post.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'ACCOUNT_DISCONNECTED',
      failureReason: 'The social account has been disconnected',
      socialAccount: null,
    });
  });
});

describe('reconnecting an account', () => {
  const connect = async (platformUserId: string): Promise<SocialAccount> => {
    const body = await connectionBody({ platformUserId });
    const answer = await world.ask(connectSocialAccount, { body });
    expect(answer.status).toBe(201);

    return answer.body.socialAccount;
  };

  it('restores its drafts and metrics, but not its canceled posts', async () => {
    const platformUserId = newPlatformUserId();
    const former = await connect(platformUserId);
    const params = { account_id: former.id };
    const draft = await world.newPost({ ...bodyFor(former), draft: true });
    const canceled = await world.newPost({ ...bodyFor(former), scheduledAt: inHalfAnHour() });
    await world.ask(syncSocialAccount, { params, body: {} });
    setClock(() => Date.now() + minuteMs);
    await world.ask(disconnectSocialAccount, { params });
    setClock(() => Date.now() + 2 * minuteMs);
    const account = await connect(platformUserId);
    const scheduled = await world.newPost({ ...bodyFor(account), scheduledAt: inHalfAnHour() });
    await drainWork('account-disconnection');

    const schedule = { params: { post_id: draft.id }, body: { scheduledAt: inHalfAnHour() } };
    expect((await world.ask(updateContentPost, schedule)).status).toBe(200);
    const posts = await Promise.all(
      [canceled, draft, scheduled].map(({ id }) => world.readPost(id)),
    );
    const socialAccount = { id: former.id };
    expect(posts).toMatchObject([
      { status: 'FAILED', failureCode: 'ACCOUNT_DISCONNECTED', socialAccount },
      { status: 'SCHEDULED', socialAccount },
      { status: 'SCHEDULED', socialAccount },
    ]);
    const kept = await query(ranges.accountStats(world.organizationId, account.id));
    expect(kept).toHaveLength(1);
  });
});

describe('stored post data', () => {
  it('maps a network’s id to the post for as long as the post exists', async () => {
    const { id, platformPostId } = await world.newPost();
    const find = () =>
      findPostIdByPlatformId(world.organizationId, world.account.id, platformPostId);

    expect(await find()).toBe(id);
    await world.ask(deleteContentPost, { params: { post_id: id } });
    expect(await find()).toBeUndefined();
  });

  it("stores TikTok's public post id as soon as it is known", async () => {
    const account = await connectedAccount(world.organizationId, { platform: 'TIKTOK' });
    const { organizationId, id: accountId } = account;
    const [publishId, publicId] = [`v_pub_url~v2.${randomUUID()}`, `74${Date.now()}`];
    const network = fakeNetwork('TIKTOK');
    network.afterCommit = async () => ({
      state: 'published',
      platformPostId: publishId,
      url: null,
    });
    const mediaUrls = ['https://example.com/engine.mp4'];
    const post = await world.newPost({
      ...bodyFor(account),
      mediaUrls,
      scheduledAt: timestamp(minuteMs),
    });
    setClock(() => Date.now() + 2 * minuteMs);
    await publishDuePost(organizationId, accountId, post.id);
    const content = JSON.stringify({ publish_id: publishId, post_id: publicId });
    const news = (event: string) =>
      networkOf('TIKTOK').parseEvents(
        Buffer.from(
          JSON.stringify({
            client_key: 'key',
            event,
            create_time: Math.floor(Date.now() / 1_000),
            user_openid: account.platformUserId,
            content,
          }),
        ),
      );
    await takeEvents('TIKTOK', news('post.publish.publicly_available'));
    await takeEvents('TIKTOK', news('post.publish.complete'));
    await drainWork('inbound-events');

    const find = (id: string) => findPostIdByPlatformId(organizationId, accountId, id);
    expect(await world.readPost(post.id)).toMatchObject({ platformPostId: publicId });
    expect([await find(publicId), await find(publishId)]).toEqual([post.id, undefined]);
    expect(await get(keys.contentPost(organizationId, post.id))).toMatchObject({
      state: 'PUBLISHED',
      dueAt: expect.stringContaining(accountId),
    });
  });

  it('stays consistent across lists, counters and dates after any number of changes', async () => {
    const own = await contentSetup();
    const posts = [];
    for (let number = 0; number < 6; number += 1) {
      posts.push(await own.newPost({ scheduledAt: inHalfAnHour(), keyword: randomUUID() }));
    }
    const [first, second, third] = posts.map(({ id }) => ({ post_id: id }));
    await Promise.all([
      own.ask(deleteContentPost, { params: first ?? {} }),
      own.ask(updateContentPost, { params: second ?? {}, body: { scheduledAt: null } }),
      own.ask(updateContentPost, { params: third ?? {}, body: { scheduledAt: timestamp(hourMs) } }),
    ]);
    const items = await storedItems(`ORG#${own.organizationId}`);
    const left = posts.slice(1).map(({ id }) => id);
    const idsOf = (partition: string) =>
      items.filter(({ pk }) => pk.endsWith(partition)).map(({ id }) => id);
    const total = (facet: string) =>
      items
        .filter(({ pk, sk }) => pk.endsWith('#POST_COUNTS') && sk.startsWith(facet))
        .reduce((sum, item) => sum + Number(item.total), 0);

    expect(idsOf('#POST_DATES').toSorted()).toEqual(left.toSorted());
    expect(idsOf('#POST_LISTS').toSorted()).toEqual(
      [...left, ...left, ...left, ...left].toSorted(),
    );
    const facets = ['all', 'account', 'platform', 'status', 'source'];
    expect(facets.map(total)).toEqual([5, 5, 5, 5, 5]);
    expect(items.filter(({ sk }) => sk.startsWith('UNIQUE#POST_KEYWORD')).length).toBe(5);
  });

  it('is removed with the organization, including deleted posts and their metrics', async () => {
    const own = await contentSetup();
    await own.newPost({ scheduledAt: inHalfAnHour() });
    const published = await own.newPost({ keyword: randomUUID() });
    await own.ask(deleteContentPost, { params: { post_id: published.id } });
    const due = await own.newPost({ scheduledAt: inHalfAnHour() });
    expect((await own.ask(deleteOrganization)).status).toBe(200);
    await passHalfAnHour();
    await drainWork();

    expect(await own.published()).not.toContain(due.content);
    const left = await storedItems(`ORG#${own.organizationId}`);
    expect(left.filter(({ pk }: Item) => /POST|PUBLISHED/.test(pk))).toEqual([]);
  });
});
