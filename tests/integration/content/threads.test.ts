import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { handler as contentPublish } from '#functions/jobs/content-publish.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { minuteMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import {
  createContentPost,
  deleteContentPost,
  listContentPosts,
  preflightContentPost,
  reconcileContentPost,
  updateContentPost,
} from '#schemas/content.ts';
import { deleteMedia } from '#schemas/media.ts';
import { syncSocialAccount } from '#schemas/social.ts';
import { storeMedia } from '#scripts/fixtures/media.ts';
import { signedEvent } from '#scripts/fixtures/network-events.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { sandbox } from '#tests/support/mails.ts';
import { conversationsOf, deliver } from '#tests/support/network-events.ts';
import { drainWork } from '#tests/support/work.ts';
import { bodyFor, type ContentSetup, clockOfTest, contentSetup } from './setup.ts';
import { threadNetwork } from './thread-network.ts';

let world: ContentSetup;
let account: SocialAccount;
const clock = clockOfTest();

beforeAll(async () => {
  world = await contentSetup();
  account = await newAccount();
});

afterEach(async () => {
  await sandbox.network('TWITTER').setSettings({ rejectsDuplicates: false });
});

function newAccount() {
  return connectedAccount(world.organizationId, {
    platform: 'TWITTER',
    platformUserId: `x${randomUUID()}`,
  });
}

async function ticks(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    clock.aheadMs += minuteMs;
    await contentPublish();
    await drainWork('content-publishing');
  }
}

function threadOf(...contents: readonly string[]) {
  return { ...bodyFor(account), content: 'One', thread: contents.map((content) => ({ content })) };
}

const create = (body: object) => world.ask(createContentPost, { body });
const reconcile = (id: string) => world.ask(reconcileContentPost, { params: { post_id: id } });
const change = (id: string, body: object) =>
  world.ask(updateContentPost, { params: { post_id: id }, body });

describe('a thread on X', () => {
  it('is published in order, each part as a reply to the previous one', async () => {
    account = await newAccount();
    const { status, body } = await create({
      ...threadOf('Two https://example.com/a', 'Three'),
      utmSource: 'spring',
    });
    const post = body.contentPost;

    expect(status).toBe(201);
    expect(post).toMatchObject({
      status: 'PUBLISHED',
      thread: [
        { content: 'Two https://example.com/a', mediaIds: [], status: 'SENT' },
        { content: 'Three', status: 'SENT' },
      ],
    });
    const ids = [post, ...post.thread].map(({ platformPostId }) => platformPostId);
    expect(await sandbox.network('TWITTER').posts(account.platformUserId)).toMatchObject([
      { id: ids[2], text: 'Three', inReplyTo: ids[1] },
      { id: ids[1], text: 'Two https://example.com/a?utm_source=spring', inReplyTo: ids[0] },
      { id: ids[0], text: 'One', inReplyTo: null },
    ]);
  });

  it('is published on schedule, and PENDING until then', async () => {
    account = await newAccount();
    const post = await world.newPost({ ...threadOf('Two'), scheduledAt: timestamp(30_000) });
    expect(post.thread).toMatchObject([{ status: 'PENDING', platformPostId: null }]);
    await ticks(1);

    expect(await world.readPost(post.id)).toMatchObject({
      status: 'PUBLISHED',
      thread: [{ status: 'SENT' }],
    });
  });

  it('stops at a part whose outcome is unknown, and reconcile continues from there', async () => {
    const { visible, troubles } = threadNetwork();
    troubles.push(undefined, 'lost');
    const { status, body } = await create(threadOf('Two', 'Three', 'Four'));
    const { id } = body.contentPost;

    expect(status).toBe(201);
    expect(body.contentPost).toMatchObject({
      status: 'FAILED',
      failureCode: 'OUTCOME_UNKNOWN',
      platformPostId: expect.stringMatching(/^One-/),
      thread: [
        { status: 'UNKNOWN', platformPostId: null },
        { status: 'PENDING' },
        { status: 'PENDING' },
      ],
    });
    expect(visible.map(({ text }) => text)).toEqual(['One', 'Two']);
    const settled = await reconcile(id);

    expect(settled.body.contentPost).toMatchObject({
      status: 'PUBLISHED',
      failureCode: null,
      thread: [
        { platformPostId: expect.stringMatching(/^Two-/) },
        { status: 'SENT' },
        { status: 'SENT' },
      ],
    });
    expect(visible.map(({ text }) => text)).toEqual(['One', 'Two', 'Three', 'Four']);
  });

  it('continues automatically when the network shows the unknown part', async () => {
    const { visible, troubles } = threadNetwork();
    troubles.push(undefined, 'lost');
    const { id } = (await create(threadOf('Two', 'Three'))).body.contentPost;
    await ticks(2);

    expect(await world.readPost(id)).toMatchObject({ status: 'PUBLISHED' });
    expect(visible.map(({ text }) => text)).toEqual(['One', 'Two', 'Three']);
  });

  it('is FAILED at a part that X rejects, and PATCH scheduledAt continues from there', async () => {
    account = await newAccount();
    await sandbox.network('TWITTER').setSettings({ rejectsDuplicates: true });
    await create({ ...bodyFor(account), content: 'Said before' });
    const { status, body } = await create(threadOf('Said before', 'Three'));
    const { id, platformPostId } = body.contentPost;

    expect(status).toBe(201);
    expect(body.contentPost).toMatchObject({
      status: 'FAILED',
      failureCode: 'REFUSED',
      failureReason: expect.stringContaining('duplicate'),
      platformPostId: expect.any(String),
      thread: [{ status: 'FAILED' }, { status: 'PENDING' }],
    });
    await sandbox.network('TWITTER').setSettings({ rejectsDuplicates: false });
    const changed = await change(id, { scheduledAt: timestamp(30 * secondMs) });
    expect(changed.body.contentPost).toMatchObject({ status: 'SCHEDULED', platformPostId });
    await ticks(1);

    expect(await world.readPost(id)).toMatchObject({ status: 'PUBLISHED', platformPostId });
    const texts = (await sandbox.network('TWITTER').posts(account.platformUserId))
      .map(({ text }) => text)
      .reverse();
    expect(texts).toEqual(['Said before', 'One', 'Said before', 'Three']);
  });

  it('retries a part during an outage, with five tries for each part', async () => {
    const { visible, troubles } = threadNetwork();
    troubles.push(undefined, 'down', 'down', 'down', undefined, 'down', 'down');
    const { id, ...post } = (await create(threadOf('Two', 'Three'))).body.contentPost;
    expect(post).toMatchObject({
      status: 'SCHEDULED',
      platformPostId: expect.stringMatching(/^One-/),
    });
    await ticks(10);

    expect(await world.readPost(id)).toMatchObject({ status: 'PUBLISHED' });
    expect(visible.map(({ text }) => text)).toEqual(['One', 'Two', 'Three']);
  });

  it('can only be continued or deleted after its first part is published', async () => {
    const { troubles } = threadNetwork();
    troubles.push(undefined, 'refused');
    const { id } = (await create(threadOf('Two'))).body.contentPost;

    for (const body of [{ content: 'Other' }, { mediaUrls: [] }, { scheduledAt: null }]) {
      expect((await change(id, body)).status).toBe(409);
    }
    expect((await change(id, { tags: ['spring'] })).status).toBe(200);
  });

  it('leaves nothing behind if the first part is rejected', async () => {
    const { visible, troubles } = threadNetwork();
    troubles.push('refused');

    expect((await create(threadOf('Two'))).status).toBe(400);
    expect(visible).toEqual([]);
  });

  it('is found by X if the response to its second post is lost', async () => {
    account = await newAccount();
    await sandbox.addFault({
      service: 'twitter',
      method: 'POST',
      path: '/2/tweets$',
      mode: 'hang-after',
      skip: 1,
      times: 1,
    });
    const { id, ...post } = (await create(threadOf('Two & <more>', 'Three'))).body.contentPost;
    expect(post.thread).toMatchObject([{ status: 'UNKNOWN' }, { status: 'PENDING' }]);
    clock.aheadMs += minuteMs;

    expect((await reconcile(id)).body.contentPost).toMatchObject({ status: 'PUBLISHED' });
    const posts = await sandbox.network('TWITTER').posts(account.platformUserId);
    expect(posts.map(({ text }) => text)).toEqual(['Three', 'Two & <more>', 'One']);
  });

  it('works with a reconcile before X lists new posts', async () => {
    account = await newAccount();
    await sandbox.addFault({
      service: 'twitter',
      method: 'POST',
      path: '/2/tweets',
      mode: 'hang-after',
      times: 1,
    });
    const { id } = (await create(threadOf('Two'))).body.contentPost;
    await sandbox.addFault({
      service: 'twitter',
      method: 'GET',
      path: '/tweets',
      mode: 'error',
      status: 200,
      body: { meta: { result_count: 0 } },
      times: 1,
    });
    const early = await reconcile(id);
    expect(early.body.contentPost).toMatchObject({ failureCode: 'OUTCOME_UNKNOWN' });
    await ticks(1);

    expect(await world.readPost(id)).toMatchObject({ status: 'PUBLISHED' });
  });
});

describe('deleting a thread', () => {
  it('deletes all its parts at the network', async () => {
    account = await newAccount();
    const { id } = (await create(threadOf('Two', 'Three'))).body.contentPost;
    const deleted = await world.ask(deleteContentPost, { params: { post_id: id } });

    expect(deleted.body).toMatchObject({ deletedAtNetwork: true });
    expect(await sandbox.network('TWITTER').posts(account.platformUserId)).toEqual([]);
  });

  it('changes nothing here while the network is down, and finishes afterwards', async () => {
    account = await newAccount();
    const { id } = (await create(threadOf('Two', 'Three'))).body.contentPost;
    await sandbox.addFault({ service: 'twitter', method: 'DELETE', mode: 'down' });
    expect((await world.ask(deleteContentPost, { params: { post_id: id } })).status).toBe(502);
    expect(await world.readPost(id)).toMatchObject({ status: 'PUBLISHED' });
    await sandbox.clearFaults();

    expect((await world.ask(deleteContentPost, { params: { post_id: id } })).status).toBe(200);
    expect(await sandbox.network('TWITTER').posts(account.platformUserId)).toEqual([]);
  });

  it('deletes a thread that stopped, and no further part is published', async () => {
    account = await newAccount();
    await sandbox.network('TWITTER').setSettings({ rejectsDuplicates: true });
    const { id } = (await create(threadOf('Two', 'One', 'Three'))).body.contentPost;
    await sandbox.network('TWITTER').setSettings({ rejectsDuplicates: false });
    await change(id, { scheduledAt: timestamp(30 * secondMs) });
    await sandbox.addFault({ service: 'twitter', method: 'DELETE', mode: 'down', times: 1 });
    expect((await world.ask(deleteContentPost, { params: { post_id: id } })).status).toBe(502);
    const deleted = await world.ask(deleteContentPost, { params: { post_id: id } });
    await ticks(2);

    expect(deleted.body).toMatchObject({ deletedAtNetwork: true });
    expect(await sandbox.network('TWITTER').posts(account.platformUserId)).toEqual([]);
  });
});

describe('the parts of a thread', () => {
  it('are neither messages from customers nor imported posts', async () => {
    account = await newAccount();
    const { thread } = (await create(threadOf('Two', 'Three'))).body.contentPost;
    const echo = await signedEvent(account, {
      text: 'Three',
      postId: thread[0].platformPostId,
      eventId: thread[1].platformPostId,
      echo: true,
    });
    await deliver('TWITTER', echo);
    await drainWork('inbound-events');
    const synced = await world.ask(syncSocialAccount, {
      params: { account_id: account.id },
      body: {},
    });
    expect(synced.status).toBe(200);

    expect(await conversationsOf(world.owner, account)).toEqual([]);
    const listed = await world.ask(listContentPosts, { query: { socialAccountId: account.id } });
    expect(listed.body.contentPosts).toHaveLength(1);
  });
});

describe('the media of a thread', () => {
  it('are published with their part, and cannot be deleted before', async () => {
    account = await newAccount();
    const medium = await storeMedia(world.organizationId);
    const thread = [{ content: 'Two', mediaIds: [medium.id] }];
    const post = await world.newPost({
      ...threadOf(),
      thread,
      scheduledAt: timestamp(30 * secondMs),
    });
    const ask = () => world.ask(deleteMedia, { params: { media_id: medium.id } });
    const rejected = await ask();

    expect(rejected).toMatchObject({ status: 409, body: { postIds: [post.id] } });
    await world.ask(deleteContentPost, { params: { post_id: post.id } });
    expect((await ask()).status).toBe(200);
  });

  it('stop the thread if they are deleted after it stopped', async () => {
    const { troubles } = threadNetwork();
    troubles.push(undefined, 'lost');
    const medium = await storeMedia(world.organizationId);
    const thread = [{ content: 'Two' }, { content: 'Three', mediaIds: [medium.id] }];
    const { id } = (await create({ ...threadOf(), thread })).body.contentPost;
    await world.ask(deleteMedia, { params: { media_id: medium.id } });

    expect((await reconcile(id)).body.contentPost).toMatchObject({
      status: 'FAILED',
      failureCode: 'REFUSED',
      thread: [{ status: 'SENT' }, { status: 'FAILED' }],
    });
  });
});

describe('the checks of a thread', () => {
  it.each([
    [{ thread: Array.from({ length: 25 }, () => ({ content: 'More' })) }, 'thread'],
    [{ thread: [{ content: 'Two' }, { content: ' ' }] }, 'thread.1.content'],
    [{ thread: [{ content: 'Two' }, { content: 'a'.repeat(281) }] }, 'thread.1.content'],
    [{ firstComment: 'More' }, 'firstComment'],
  ])('reject %j with the field %s', async (details, field) => {
    const body = { ...bodyFor(account), ...details };
    const { status, body: answer } = await create(body);

    expect(status).toBe(400);
    expect(JSON.stringify(answer)).toContain(`"${field} `);
  });

  it('accept 25 posts in total', async () => {
    account = await newAccount();
    const rest = Array.from({ length: 24 }, (_, index) => `Part ${index}`);
    const { body } = await create(threadOf(...rest));

    expect(body.contentPost).toMatchObject({ status: 'PUBLISHED' });
    expect(await sandbox.network('TWITTER').posts(account.platformUserId)).toHaveLength(25);
  });

  it('reject threads of other networks, for drafts too', async () => {
    const body = { ...bodyFor(world.account), draft: true, thread: [{ content: 'Two' }] };

    expect((await create(body)).status).toBe(400);
  });

  it('are part of the preflight', async () => {
    const { draft: _, ...body } = { ...threadOf('a'.repeat(281)), draft: false };
    const { checks } = (await world.ask(preflightContentPost, { body })).body.preflight;

    expect(checks).toContainEqual({
      check: 'text',
      passed: false,
      problem: expect.stringMatching(/^thread\.0\.content /),
    });
  });
});
