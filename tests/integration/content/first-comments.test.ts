import { randomInt, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as pollComments } from '#functions/jobs/comments-poll.ts';
import { handler as contentPublish } from '#functions/jobs/content-publish.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { planCommentsPoll } from '#lib/features/social/connection/comments-poll.ts';
import { minuteMs, secondMs, setClock, setPause, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import {
  createContentPost,
  deleteContentPost,
  preflightContentPost,
  reconcileContentPost,
} from '#schemas/content.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { conversationsOf, deliver } from '#tests/support/network-events.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { drainWork } from '#tests/support/work.ts';
import { bodyFor, bodyOn, contentSetup } from './setup.ts';

const platforms = ['FACEBOOK', 'INSTAGRAM', 'LINKEDIN', 'YOUTUBE'] as const;
type Platform = (typeof platforms)[number];
const text = 'Prices are on https://example.com/prices';

let aheadMs = 0;

liftRateLimits();
const world = await contentSetup();

beforeEach(() => {
  aheadMs = 0;
  setClock(() => Date.now() + aheadMs);
  setPause(async () => undefined);
  vi.stubEnv('NETWORK_TIMEOUT_MS', '800');
});

afterEach(() => {
  setPause();
});

async function ticks(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    aheadMs += minuteMs;
    await contentPublish();
    await drainWork('content-publishing');
  }
}

/** Publishes a post with a first comment, and lets the network finish processing its media. */
async function publish(platform: Platform, details: object = {}) {
  const { account, body } = await bodyOn(platform, world);
  const created = await world.ask(createContentPost, {
    body: { ...body, firstComment: text, ...details },
  });
  expect(created.status).toBe(201);
  const { id } = created.body.contentPost;
  for (let minutes = 0; minutes < 3; minutes += 1) {
    await ((await world.readPost(id)).status === 'SCHEDULED' ? ticks(1) : undefined);
  }

  return { account, id, post: await world.readPost(id) };
}

const reconcile = (id: string) => world.ask(reconcileContentPost, { params: { post_id: id } });

/** Returns the comments that the service sent. */
async function commentsBy({ platform, platformUserId }: SocialAccount) {
  return (await sandbox.network(platform).replies(platformUserId)).map(
    ({ id, inReplyTo, text: written }) => ({ id, inReplyTo, text: written }),
  );
}

const commentCall = { method: 'POST', path: '/comments?$|/commentThreads$', times: 1 } as const;

const missingScope = {
  FACEBOOK: {
    status: 403,
    body: { error: { message: '(#200) Requires pages_manage_engagement', code: 200 } },
  },
  INSTAGRAM: { status: 403, body: { error: { message: '(#10) Not allowed', code: 10 } } },
  LINKEDIN: { status: 403, body: { code: 'ACCESS_DENIED', message: 'Not enough permissions' } },
  YOUTUBE: {
    status: 403,
    body: { error: { code: 403, errors: [{ reason: 'insufficientPermissions' }] } },
  },
} as const;

describe.each(platforms)('a first comment on %s', (platform) => {
  const service = platform.toLowerCase();

  it('is sent after the post, with UTM parameters', async () => {
    const { account, post } = await publish(platform, { utmSource: 'spring' });

    expect(post).toMatchObject({
      status: 'PUBLISHED',
      firstComment: { text, status: 'SENT', platformCommentId: expect.any(String) },
    });
    expect(await commentsBy(account)).toEqual([
      {
        id: post.firstComment.platformCommentId,
        inReplyTo: post.platformPostId,
        text: `${text}?utm_source=spring`,
      },
    ]);
  });

  it('is UNKNOWN if the response is lost, and reconcile finds it', async () => {
    await sandbox.addFault({ service, ...commentCall, mode: 'hang-after' });
    const { account, id, post } = await publish(platform);

    expect(post).toMatchObject({
      status: 'PUBLISHED',
      firstComment: { text, status: 'UNKNOWN', platformCommentId: null },
    });
    const settled = (await reconcile(id)).body.contentPost;
    const [comment, ...others] = await commentsBy(account);
    expect(settled.firstComment).toEqual({
      text,
      status: 'SENT',
      platformCommentId: comment?.id,
    });
    expect(others).toEqual([]);
  });

  it('is FAILED if the network does not have it, and never sent again', async () => {
    await sandbox.addFault({ service, ...commentCall, mode: 'hang' });
    const { account, id, post } = await publish(platform);
    expect(post.firstComment).toMatchObject({ status: 'UNKNOWN' });
    const settled = (await reconcile(id)).body.contentPost;
    await ticks(10);

    expect(settled).toMatchObject({
      status: 'PUBLISHED',
      firstComment: { status: 'FAILED', platformCommentId: null },
    });
    expect(await commentsBy(account)).toEqual([]);
  });

  it('is retried after an outage', async () => {
    await sandbox.addFault({ service, ...commentCall, mode: 'down' });
    const { account, id, post } = await publish(platform);
    expect(post).toMatchObject({ status: 'PUBLISHED' });
    await ticks(2);

    expect((await world.readPost(id)).firstComment).toMatchObject({ status: 'SENT' });
    expect(await commentsBy(account)).toHaveLength(1);
  });

  it('is never sent if its text broke a rule that is newer than the post', async () => {
    const { body } = await bodyOn(platform, world);
    const scheduledAt = timestamp(30 * secondMs);
    const { id } = await world.newPost({ ...body, firstComment: text, scheduledAt });
    const tooLong = 'x'.repeat(capabilities[platform].maxCommentLength + 1);
    const firstComment = { text: tooLong, status: 'PENDING' };
    await write(change(keys.contentPost(world.organizationId, id), { set: { firstComment } }));
    const sent = async () =>
      (await sandbox.requests({ service })).filter(
        ({ method, path }) => method === 'POST' && new RegExp(commentCall.path).test(path),
      ).length;
    const before = await sent();
    await ticks(3);

    expect(await world.readPost(id)).toMatchObject({
      status: 'PUBLISHED',
      firstComment: { status: 'FAILED' },
    });
    expect(await sent()).toBe(before);
  });

  it('is FAILED without the permission, and the post stays PUBLISHED', async () => {
    await sandbox.addFault({
      service,
      ...commentCall,
      mode: 'error',
      ...missingScope[platform],
    });
    const { account, post } = await publish(platform);

    expect(post).toMatchObject({
      status: 'PUBLISHED',
      failureCode: null,
      firstComment: { status: 'FAILED' },
    });
    expect(await commentsBy(account)).toEqual([]);
  });
});

describe.each(platforms)('the echo of a first comment on %s', (platform) => {
  it('is not a message from a customer, whether it is pushed or polled', async () => {
    const { account, post } = await publish(platform);
    const eventId = String(post.firstComment.platformCommentId);
    const pushed = await sandbox.network(platform).sendEvent({
      userId: account.platformUserId,
      type: 'comment',
      text,
      from: { id: account.platformUserId, name: 'Engines' },
      postId: post.platformPostId,
      eventId: platform === 'LINKEDIN' ? String(randomInt(1e9, 1e10)) : eventId,
      echo: true,
      deliveries: 0,
    });
    if (pushed.delivery) {
      expect((await deliver(platform, pushed.delivery)).status).toBe(200);
    }
    await write(...planCommentsPoll(account));
    aheadMs = 10 * minuteMs;
    await pollComments(undefined, lambdaContext(240_000));
    await drainWork('inbound-events');

    expect(await conversationsOf(world.owner, account)).toEqual([]);
  });
});

describe('a first comment', () => {
  it('is PENDING until its post is published', async () => {
    const { account } = world;
    const body = { ...bodyFor(account), firstComment: text, scheduledAt: timestamp(30 * secondMs) };
    const post = await world.newPost(body);
    expect(post.firstComment).toEqual({ text, status: 'PENDING', platformCommentId: null });
    await ticks(1);

    expect((await world.readPost(post.id)).firstComment).toMatchObject({ status: 'SENT' });
  });

  it('is found automatically after its outcome was unknown', async () => {
    await sandbox.addFault({ service: 'facebook', ...commentCall, mode: 'hang-after' });
    const { id, post } = await publish('FACEBOOK');
    expect(post.firstComment).toMatchObject({ status: 'UNKNOWN' });
    await ticks(2);

    expect((await world.readPost(id)).firstComment).toMatchObject({ status: 'SENT' });
  });

  it('stays UNKNOWN while the network does not respond to reconcile', async () => {
    await sandbox.addFault({ service: 'facebook', ...commentCall, mode: 'hang-after' });
    const { id } = await publish('FACEBOOK');
    await sandbox.addFault({ service: 'facebook', method: 'GET', mode: 'down' });

    expect((await reconcile(id)).status).toBe(502);
    expect((await world.readPost(id)).firstComment).toMatchObject({ status: 'UNKNOWN' });
  });

  it('leaves no work behind when its post is deleted', async () => {
    await sandbox.addFault({ service: 'facebook', ...commentCall, mode: 'hang' });
    const { id } = await publish('FACEBOOK');
    const key = keys.firstComment(world.organizationId, id);
    expect(await get(key)).toBeDefined();
    await world.ask(deleteContentPost, { params: { post_id: id } });

    expect(await get(key)).toBeUndefined();
  });

  it('needs the permission to comment, which the preflight checks', async () => {
    const platformUserId = `page-${randomUUID()}`;
    const { accessToken } = await sandbox.network('FACEBOOK').issueTokens({
      userId: platformUserId,
      scopes: ['pages_manage_posts', 'pages_read_engagement'],
    });
    const limited = await storeSocialAccount(world.organizationId, {
      platform: 'FACEBOOK',
      platformUserId,
      accessToken,
    });
    const permissionsOf = async (body: object) =>
      (await world.ask(preflightContentPost, { body })).body.preflight.checks.find(
        ({ check }: { readonly check: string }) => check === 'permissions',
      );

    expect(await permissionsOf(bodyFor(limited))).toMatchObject({ passed: true });
    expect(await permissionsOf({ ...bodyFor(limited), firstComment: text })).toMatchObject({
      passed: false,
      problem: expect.stringContaining('pages_manage_engagement'),
    });
  });

  it('is part of the preflight', async () => {
    const body = { ...bodyFor(world.account), firstComment: 'a'.repeat(2_001) };
    const { checks } = (await world.ask(preflightContentPost, { body })).body.preflight;

    expect(checks).toContainEqual({
      check: 'text',
      passed: false,
      problem: expect.stringMatching(/^firstComment .*2000/),
    });
  });
});
