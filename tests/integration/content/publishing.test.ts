import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { handler as contentPublish } from '#functions/jobs/content-publish.ts';
import { handler as contentPublishing } from '#functions/workers/content-publishing.ts';
import { cancelPostsOfAccount } from '#lib/features/content/cancel-posts.ts';
import { createPost } from '#lib/features/content/create-post.ts';
import type { ContentPost } from '#lib/features/content/posts/post.ts';
import {
  claimDuePost,
  handOver,
  leaseMs,
  OwnershipLostError,
} from '#lib/features/content/publishing/ownership.ts';
import { publishDuePost } from '#lib/features/content/publishing/publish-account.ts';
import { dayMs, minuteMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, discard, put, write } from '#lib/platform/db/write.ts';
import { metricsLogger } from '#lib/platform/log/logger.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import {
  deleteContentPost,
  listContentPosts,
  reconcileContentPost,
  updateContentPost,
} from '#schemas/content.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { newIntent } from '#tests/support/content.ts';
import { depth } from '#tests/support/depth.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { drainWork, sqsEvent, takeWork } from '#tests/support/work.ts';
import { type FakeNetwork, fakeNetwork, gate } from './fake-network.ts';
import { bodyFor, bodyOn, clockOfTest, contentSetup } from './setup.ts';

const clock = clockOfTest();

const passTime = (ms: number) => {
  clock.aheadMs += ms;
};

const world = await contentSetup();

afterEach(async () => {
  vi.useRealTimers();
});

/** Runs the jobs scheduled every minute. */
async function tick(): Promise<void> {
  await contentPublish();
  await drainWork('content-publishing');
}

async function ticks(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    passTime(minuteMs);
    await tick();
  }
}

const soon = () => timestamp(30 * secondMs);
const scheduled = (details = {}) => world.newPost({ scheduledAt: soon(), ...details });
const postKey = (id: string) => keys.contentPost(world.organizationId, id);

/** Returns a network that waits before it accepts anything until the test continues. */
function pausingNetwork() {
  const network = fakeNetwork();
  const preparing = gate();
  const ready = network.prepare;
  network.prepare = async (text) => {
    await preparing.wait();

    return ready(text);
  };

  return { network, preparing, prepare: ready };
}

describe('the publishing job', () => {
  /** Runs the job, and returns the seconds of lateness that it measured. */
  async function measuredLateness(): Promise<number> {
    const lines = vi.spyOn(metricsLogger, 'info');
    await contentPublish();
    const measured = lines.mock.calls.map(([, metrics]) => Object(metrics).PublishingLateness);
    lines.mockRestore();
    await drainWork('content-publishing');

    return Math.max(...measured.filter(Number.isFinite));
  }

  it.each<[string, number, (post: ContentPost) => Promise<unknown>]>([
    ['the most overdue post', 600, () => scheduled()],
    ['a post whose publisher crashed', 40, ({ id }) => claimDuePost(postKey(id), world.account.id)],
  ])('measures how long %s has waited', async (_, seconds, given) => {
    const post = await scheduled();
    passTime(10 * minuteMs);
    await given(post);
    passTime(minuteMs);

    expect(await measuredLateness()).toBeGreaterThanOrEqual(seconds);
    expect(await measuredLateness()).toBe(0);
  });

  const retryAfterMs = 30 * minuteMs;

  it.each<[string, FakeNetwork['prepare']]>([
    ['the network processes', async () => ({ state: 'pending', handle: {}, retryAfterMs })],
    [
      'waits for a retry',
      async () => {
        throw new NetworkError('FACEBOOK', 'unavailable', { message: 'down', retryAfterMs });
      },
    ],
  ])('measures no lateness of a post that %s', async (_, prepare) => {
    const post = await scheduled();
    passTime(10 * minuteMs);
    fakeNetwork().prepare = prepare;
    await publish(post);

    expect(await world.readPost(post.id)).toMatchObject({ status: 'SCHEDULED' });
    expect(await measuredLateness()).toBe(0);
    await world.ask(deleteContentPost, { params: { post_id: post.id } });
  });
});

async function timesPublished(text: string): Promise<number> {
  return (await world.published()).filter((published) => published === text).length;
}

/** Publishes a post like the worker. */
function publish({ id }: { readonly id: string }, account = world.account) {
  return publishDuePost(world.organizationId, account.id, id);
}

describe('a scheduled post', () => {
  it('is published with the first tick after its time, and not before', async () => {
    const post = await scheduled();
    await tick();
    expect(await world.readPost(post.id)).toMatchObject({ status: 'SCHEDULED' });
    passTime(minuteMs);
    await tick();

    const published = await world.readPost(post.id);
    expect(published).toMatchObject({ status: 'PUBLISHED', scheduledAt: post.scheduledAt });
    expect(Date.parse(published.publishedAt) - Date.parse(post.scheduledAt)).toBeLessThan(minuteMs);
    expect(await timesPublished(post.content)).toBe(1);
  });

  it('is published once by concurrent jobs and workers', async () => {
    const posts = await Promise.all(Array.from({ length: 6 }, () => scheduled()));
    passTime(minuteMs);
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        await contentPublish();
        await drainWork('content-publishing');
      }),
    );

    const texts = await world.published();
    for (const { content } of posts) {
      expect(texts.filter((text) => text === content)).toHaveLength(1);
    }
  });

  it('is retried within 10 s after a brief network outage', async () => {
    const post = await scheduled();
    passTime(minuteMs);
    const before = clock.aheadMs;
    await sandbox.addFault({ service: 'facebook', mode: 'down', times: 1 });
    await tick();

    expect(await world.readPost(post.id)).toMatchObject({ status: 'PUBLISHED' });
    expect(clock.aheadMs - before).toBeLessThanOrEqual(10 * secondMs);
    expect(await timesPublished(post.content)).toBe(1);
  });

  it('is published when the network is available again after ten minutes', async () => {
    const post = await scheduled();
    await sandbox.addFault({ service: 'facebook', mode: 'down' });
    await ticks(11);
    expect(await world.readPost(post.id)).toMatchObject({ status: 'SCHEDULED' });
    await sandbox.clearFaults();
    await ticks(12);

    expect(await world.readPost(post.id)).toMatchObject({ status: 'PUBLISHED' });
    expect(await timesPublished(post.content)).toBe(1);
  });

  it('ends as FAILED after five attempts, and the owners are notified once', async () => {
    const content = `Never ${randomUUID()}`;
    const post = await scheduled({ content });
    const since = new Date().toISOString();
    await sandbox.addFault({ service: 'facebook', mode: 'down' });
    await ticks(30);

    const failed = await world.readPost(post.id);
    expect(failed).toMatchObject({ status: 'FAILED', failureCode: 'RETRIES_EXHAUSTED' });
    expect(failed.failureReason).toBeTruthy();
    const tries = await sandbox.requests({
      service: 'facebook',
      since,
      contains: content.slice(6),
    });
    expect(tries.filter(({ method }) => method === 'POST')).toHaveLength(5);
    const mails = (await mailsTo(world.owner.email)).filter(({ text }) => text?.includes(content));
    expect(mails).toHaveLength(1);
  });

  it('is not published a day after its time, even if nothing was tried before', async () => {
    const post = await scheduled();
    passTime(dayMs + minuteMs);
    await tick();

    expect(await world.readPost(post.id)).toMatchObject({
      status: 'FAILED',
      failureReason: 'The post could not be published within 24 hours of its scheduled time',
    });
    expect(await timesPublished(post.content)).toBe(0);
  });

  it('ends as FAILED immediately when the network rejects it permanently', async () => {
    const post = await scheduled();
    await sandbox.addFault({
      service: 'facebook',
      method: 'POST',
      mode: 'error',
      status: 400,
      body: JSON.stringify({
        error: { code: 100, message: 'Unsupported', type: 'OAuthException' },
      }),
    });
    await ticks(2);

    expect(await world.readPost(post.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'REFUSED',
    });
    expect(await timesPublished(post.content)).toBe(0);
  });

  it('is published after a failure when it is given a new time', async () => {
    const post = await scheduled();
    await sandbox.addFault({
      service: 'facebook',
      method: 'POST',
      mode: 'error',
      status: 400,
      body: JSON.stringify({
        error: { code: 100, message: 'Unsupported', type: 'OAuthException' },
      }),
      times: 1,
    });
    await ticks(1);
    const params = { post_id: post.id };
    const again = await world.ask(updateContentPost, { params, body: { scheduledAt: soon() } });
    await ticks(1);

    expect(again.body.contentPost).toMatchObject({ status: 'SCHEDULED', failureReason: null });
    expect(await world.readPost(post.id)).toMatchObject({ status: 'PUBLISHED' });
  });

  it('ends as FAILED with a reason when its account was disconnected', async () => {
    const account = await connectedAccount(world.organizationId);
    const details = { socialAccountId: account.id };
    const [canceled, due] = [await scheduled(details), await scheduled(details)];
    await cancelPostsOfAccount(world.organizationId, account.id, {
      reason: 'The account was disconnected',
    });
    expect(await world.readPost(canceled.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'ACCOUNT_DISCONNECTED',
      failureReason: 'The account was disconnected',
    });
    const params = { post_id: due.id };
    await world.ask(updateContentPost, { params, body: { scheduledAt: soon() } });
    await write(discard(keys.socialAccount(world.organizationId, account.id)));
    await ticks(1);

    expect(await world.readPost(due.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'ACCOUNT_DISCONNECTED',
    });
  });

  it('is FAILED if its text broke a rule that is newer than the post', async () => {
    const { account, body } = await bodyOn('INSTAGRAM', world);
    const { id } = await scheduled(body);
    const content = '#tag '.repeat(31);
    await write(change(keys.contentPost(world.organizationId, id), { set: { content } }));
    await ticks(1);

    expect(await world.readPost(id)).toMatchObject({
      status: 'FAILED',
      failureReason: expect.stringContaining('no more than 30 hashtags'),
    });
    expect(await sandbox.network('INSTAGRAM').posts(account.platformUserId)).toEqual([]);
  });

  it('leaves nothing in the index of due posts, whatever its outcome', async () => {
    await ticks(1);

    expect(await findDueItems('PUBLISH', 100)).toEqual([]);
  });
});

describe('a publisher that crashes', () => {
  it('never causes its post to be resent automatically after the call was made', async () => {
    const post = await scheduled();
    passTime(minuteMs);
    const network = fakeNetwork();
    const answer = gate();
    network.afterCommit = async () => {
      await answer.wait();

      return undefined;
    };
    const paused = publish(post);
    await answer.reached;
    passTime(5 * minuteMs);
    await publish(post);
    const left = await world.readPost(post.id);
    answer.open();
    await paused;

    expect(left).toMatchObject({ status: 'FAILED', failureCode: 'OUTCOME_UNKNOWN' });
    expect(network.visible).toEqual([post.content]);
    expect(network.calls.commit).toBe(1);
    // The late owner's result is rejected; a check with the network resolves the post.
    expect(await world.readPost(post.id)).toMatchObject({ status: 'FAILED', platformPostId: null });
    network.probe = async () => ({ state: 'published', platformPostId: randomUUID(), url: null });
    passTime(2 * minuteMs);
    await publish(post);
    expect(await world.readPost(post.id)).toMatchObject({ status: 'PUBLISHED' });
    expect(network.visible).toHaveLength(1);
  });

  it('leaves its post to another publisher, which sends it once, if it crashes before the call', async () => {
    const post = await scheduled();
    passTime(minuteMs);
    const { network, preparing, prepare } = pausingNetwork();
    const paused = publish(post);
    await preparing.reached;
    expect(await publish(post)).toBeUndefined();
    passTime(5 * minuteMs);
    network.prepare = prepare;
    await publish(post);
    preparing.open();
    await paused;

    expect(network.visible).toEqual([post.content]);
    expect(await world.readPost(post.id)).toMatchObject({ status: 'PUBLISHED' });
  });

  it('cannot store late results', async () => {
    const lateWriters = depth(10);
    const network = fakeNetwork();
    for (let index = 0; index < lateWriters; index += 1) {
      const post = await scheduled();
      passTime(minuteMs);
      const preparing = gate();
      const ready = network.prepare;
      network.prepare = async (text) => {
        await preparing.wait();

        return ready(text);
      };
      const paused = publish(post);
      await preparing.reached;
      network.prepare = ready;
      passTime(5 * minuteMs);
      const edited = await world.ask(updateContentPost, {
        params: { post_id: post.id },
        body: { scheduledAt: soon() },
      });
      preparing.open();
      await paused;

      expect(await world.readPost(post.id)).toEqual(edited.body.contentPost);
      await world.ask(deleteContentPost, { params: { post_id: post.id } });
    }
    expect(network.visible).toEqual([]);
  });

  it('leaves its post to the next publisher if it crashes after claiming it', async () => {
    const post = await scheduled();
    passTime(minuteMs);
    expect(await claimDuePost(postKey(post.id), world.account.id)).toBeDefined();
    await tick();
    expect(await timesPublished(post.content)).toBe(0);
    await ticks(3);

    expect(await timesPublished(post.content)).toBe(1);
  });
});

/** Lets the test control lease renewal. An owner that does not renew counts as crashed. */
function holdLeaseRenewal(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
}

/** Runs the account's worker. */
function processRound() {
  const { organizationId, account } = world;
  const key = keys.outbox(keys.organization(organizationId), 'contentPublish', account.id);
  const message = sqsEvent([{ MessageId: '1', Body: JSON.stringify(key) }]);

  return contentPublishing(message, lambdaContext(300_000));
}

describe('posts of a crashed publisher', () => {
  it.each([1, 19, 21, 60])(
    'are resolved within a minute if the next tick comes %i s later',
    async (seconds) => {
      holdLeaseRenewal();
      const [unsent, sent] = [await scheduled(), await scheduled()];
      passTime(minuteMs);
      const network = fakeNetwork();
      const [preparing, committed] = [gate(), gate()];
      const ready = network.prepare;
      network.prepare = async (text) => {
        await (text === unsent.content && preparing.wait());

        return ready(text);
      };
      network.afterCommit = async () => {
        await committed.wait();

        return undefined;
      };
      const dead = [publish(unsent), publish(sent)];
      await Promise.all([preparing.reached, committed.reached]);
      const diedAtMs = clock.aheadMs;
      network.prepare = ready;
      network.afterCommit = async () => undefined;
      passTime(seconds * secondMs);
      await contentPublish();
      await takeWork('content-publishing');
      await processRound();
      // A worker that runs before the lease expires asks to be called again.
      passTime(Math.max(0, leaseMs + secondMs - seconds * secondMs));
      await processRound();

      expect(clock.aheadMs - diedAtMs).toBeLessThanOrEqual(minuteMs);
      expect(await world.readPost(unsent.id)).toMatchObject({ status: 'PUBLISHED' });
      expect(await world.readPost(sent.id)).toMatchObject({
        status: 'FAILED',
        failureCode: 'OUTCOME_UNKNOWN',
      });
      preparing.open();
      committed.open();
      await Promise.all(dead);
      expect(network.visible.toSorted()).toEqual([unsent.content, sent.content].toSorted());
      network.probe = async () => ({ state: 'absent', reason: 'None' });
      await world.ask(deleteContentPost, { params: { post_id: sent.id } });
    },
  );
});

describe('a running publisher', () => {
  it.each([
    ['has sent it', { phase: 'SENT' }],
    ['has finished', { leaseUntil: null }],
    ['lost it', { attempt: 9 }],
  ])('does not hand its post over if it %s', async (_, set) => {
    const { id } = await scheduled();
    const key = keys.contentPost(world.organizationId, id);
    await write(change(key, { set: { leaseUntil: timestamp(minuteMs) } }));
    const post = (await get<ContentPost>(key)) as ContentPost;
    await write(change(key, { set }));

    expect(await handOver(post)).toBeUndefined();
  });

  it('keeps its lease during a long call and releases it afterwards', async () => {
    holdLeaseRenewal();
    const post = await scheduled();
    passTime(minuteMs);
    const network = fakeNetwork();
    const answer = gate();
    network.afterCommit = async () => {
      await answer.wait();

      return undefined;
    };
    const publishing = publish(post);
    await answer.reached;
    const key = keys.contentPost(world.organizationId, post.id);
    const leaseUntil = async () => (await get<ContentPost>(key))?.leaseUntil;
    for (const before = clock.aheadMs; clock.aheadMs < before + minuteMs; ) {
      const last = await leaseUntil();
      passTime(5 * secondMs);
      vi.advanceTimersToNextTimer();
      await expect.poll(leaseUntil).not.toBe(last);
    }

    expect(await publish(post)).toBeUndefined();
    answer.open();
    await publishing;
    expect(await world.readPost(post.id)).toMatchObject({ status: 'PUBLISHED' });
    expect(await leaseUntil()).toBeUndefined();
    expect(network.calls).toMatchObject({ commit: 1, probe: 0 });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a change while a post is being published', () => {
  it('is rejected with 409 once the publisher has claimed the post', async () => {
    const post = await scheduled();
    passTime(minuteMs);
    const network = fakeNetwork();
    const sending = gate();
    network.beforeCommit = sending.wait;
    const publishing = publish(post);
    await sending.reached;
    const params = { post_id: post.id };
    const edited = await world.ask(updateContentPost, { params, body: { content: 'Too late' } });
    const deleted = await world.ask(deleteContentPost, { params });
    sending.open();
    await publishing;

    expect([edited.status, deleted.status]).toEqual([409, 409]);
    expect(edited.body.message).toBe('The content post is being published');
    expect(network.visible).toEqual([post.content]);
  });

  it('never publishes the old text after the edit returned 200', async () => {
    const network = fakeNetwork();
    for (let round = 0; round < depth(12); round += 1) {
      const post = await scheduled();
      passTime(minuteMs);
      const content = `Newer ${randomUUID()}`;
      const params = { post_id: post.id };
      const [edited] = await Promise.all([
        world.ask(updateContentPost, { params, body: { content, scheduledAt: soon() } }),
        publish(post),
      ]);
      passTime(minuteMs);
      await publish(post);

      expect([200, 409]).toContain(edited.status);
      expect(network.visible.splice(0)).toEqual([edited.status === 200 ? content : post.content]);
    }
  });

  it('never publishes a post after its deletion returned 200', async () => {
    const network = fakeNetwork();
    for (let round = 0; round < depth(12); round += 1) {
      const post = await scheduled();
      passTime(minuteMs);
      const [deleted] = await Promise.all([
        world.ask(deleteContentPost, { params: { post_id: post.id } }),
        publish(post),
      ]);
      const wasPublished = network.visible.splice(0).length;
      await publish(post);

      expect(network.visible).toEqual([]);
      expect([200, 409, 502, 400, 404]).toContain(deleted.status);
      expect(wasPublished).toBeLessThanOrEqual(1);
    }
  });
});

describe('a slow network', () => {
  it('is polled with its handle, which is stored before each further step', async () => {
    const post = await scheduled();
    passTime(minuteMs);
    const network = fakeNetwork();
    network.prepare = async () => ({
      state: 'pending',
      handle: { container: 'c7' },
      retryAfterMs: minuteMs,
    });
    await publish(post);
    expect(await world.readPost(post.id)).toMatchObject({ status: 'SCHEDULED' });
    network.prepare = async () => ({ state: 'ready', handle: { container: 'c7' } });
    passTime(minuteMs + secondMs);
    await publish(post);

    expect(network.visible).toEqual([post.content]);
  });

  it('is not polled forever: the post ends as FAILED when it is not ready in time', async () => {
    const post = await scheduled();
    const network = fakeNetwork();
    network.prepare = async () => ({ state: 'pending', handle: {}, retryAfterMs: 10 * minuteMs });
    for (let polls = 0; polls < 20; polls += 1) {
      passTime(11 * minuteMs);
      await publish(post);
    }

    expect(await world.readPost(post.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'MEDIA_NOT_READY',
    });
    expect(network.visible).toEqual([]);
  });

  it('is polled after it accepted the post, which is never resent', async () => {
    const post = await scheduled();
    passTime(minuteMs);
    const network = fakeNetwork();
    network.afterCommit = async () => ({ state: 'processing', handle: {}, retryAfterMs: secondMs });
    await publish(post);
    network.probe = async () => ({ state: 'processing', retryAfterMs: secondMs });
    passTime(minuteMs);
    await publish(post);
    network.probe = async () => ({ state: 'published', platformPostId: randomUUID(), url: null });
    passTime(minuteMs);
    await publish(post);

    expect(network.calls).toMatchObject({ commit: 1, probe: 2 });
    expect(await world.readPost(post.id)).toMatchObject({ status: 'PUBLISHED' });
  });

  it('may reject a post after accepting it, and its reason is reported immediately', async () => {
    const post = await scheduled();
    passTime(minuteMs);
    const network = fakeNetwork();
    network.afterCommit = async () => ({ state: 'processing', handle: {}, retryAfterMs: secondMs });
    await publish(post);
    network.probe = async () => ({ state: 'failed', reason: 'video_pull_failed' });
    passTime(minuteMs);
    await publish(post);

    expect(network.calls).toMatchObject({ commit: 1, probe: 1 });
    expect(await world.readPost(post.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'REFUSED',
      failureReason: 'video_pull_failed',
    });
  });

  it('may have published an accepted post even though its account was disconnected', async () => {
    const account = await connectedAccount(world.organizationId);
    const post = await scheduled({ socialAccountId: account.id });
    passTime(minuteMs);
    const network = fakeNetwork();
    network.afterCommit = async () => ({ state: 'processing', handle: {}, retryAfterMs: secondMs });
    await publish(post, account);
    await write(discard(keys.socialAccount(world.organizationId, account.id)));
    await cancelPostsOfAccount(world.organizationId, account.id, {
      reason: 'The account was disconnected',
    });
    await ticks(1);

    const unknown = { status: 'FAILED', failureCode: 'OUTCOME_UNKNOWN' };
    expect(await world.readPost(post.id)).toMatchObject(unknown);
    network.probe = async () => ({ state: 'published', platformPostId: randomUUID(), url: null });
    // Posts are listed only for a connected account, so it is connected again.
    await write(put(keys.socialAccount(world.organizationId, account.id), account));
    passTime(2 * minuteMs);
    await publish(post, account);
    expect(await world.readPost(post.id)).toMatchObject({ status: 'PUBLISHED' });
  });

  it('is not called before its retry-after time', async () => {
    const post = await scheduled();
    passTime(minuteMs);
    const network = fakeNetwork();
    network.beforeCommit = async () => {
      throw new NetworkError('FACEBOOK', 'rateLimited', {
        message: 'Later',
        retryAfterMs: 30 * minuteMs,
      });
    };
    await publish(post);
    passTime(29 * minuteMs);
    expect(await publish(post)).toBeUndefined();
    passTime(2 * minuteMs);
    network.beforeCommit = async () => undefined;
    await publish(post);

    expect(network.visible).toEqual([post.content]);
  });
});

describe('an immediate post that its network is still processing', () => {
  /** Creates an immediate post, which the slow network does not finish. */
  async function unfinished() {
    const details = bodyFor(world.account);
    const { post } = await createPost(world.organizationId, newIntent(), details);

    return { post, change: (body: object) => changeOf(post.id, body) };
  }

  const changeOf = (id: string, body: object) =>
    world.ask(updateContentPost, { params: { post_id: id }, body });

  /** Returns a network whose media is ready after a minute. */
  function slowNetwork() {
    const network = fakeNetwork();
    const handles: unknown[] = [];
    network.prepare = async (_, known) => {
      handles.push(known);

      return known
        ? { state: 'ready', handle: known }
        : { state: 'pending', handle: { container: 'c9' }, retryAfterMs: minuteMs };
    };

    return { network, handles };
  }

  it('restarts when it is edited, and is published only with the new text', async () => {
    const { network, handles } = slowNetwork();
    const { post, change } = await unfinished();
    const content = `Newer ${randomUUID()}`;
    const changed = await change({ content });
    await publish(post);
    passTime(minuteMs + secondMs);
    await publish(post);

    expect(changed.body.contentPost).toMatchObject({ status: 'SCHEDULED', scheduledAt: null });
    expect(handles).toEqual([undefined, undefined, { container: 'c9' }]);
    expect(network.visible).toEqual([content]);
    expect(await world.readPost(post.id)).toMatchObject({ status: 'PUBLISHED', content });
  });

  it('continues unchanged when only its tags change', async () => {
    const { network, handles } = slowNetwork();
    const { post, change } = await unfinished();
    expect((await change({ tags: ['engines'] })).status).toBe(200);
    expect(await publish(post)).toBeUndefined();
    passTime(minuteMs + secondMs);
    await publish(post);

    expect(handles).toEqual([undefined, { container: 'c9' }]);
    expect(network.visible).toEqual([post.content]);
  });

  it('becomes a draft when its time is cleared, and is published at its new time', async () => {
    const { network } = slowNetwork();
    const { post, change } = await unfinished();
    const draft = await change({ scheduledAt: null });
    passTime(5 * minuteMs);
    expect(draft.body.contentPost.status).toBe('DRAFT');
    expect(await publish(post)).toBeUndefined();
    await change({ scheduledAt: soon() });
    passTime(minuteMs);
    await publish(post);
    passTime(minuteMs + secondMs);
    await publish(post);

    expect(network.visible).toEqual([post.content]);
  });

  it('cannot be edited after the network has accepted it', async () => {
    const network = fakeNetwork();
    network.afterCommit = async () => ({ state: 'processing', handle: {}, retryAfterMs: secondMs });
    const { post, change } = await unfinished();

    expect(post.state).toBe('SCHEDULED');
    expect((await change({ content: 'Too late' })).status).toBe(409);
    expect((await change({ scheduledAt: null })).status).toBe(409);
    network.probe = async () => ({ state: 'published', platformPostId: randomUUID(), url: null });
    passTime(2 * secondMs);
    await publish(post);
    expect(await world.readPost(post.id)).toMatchObject({ status: 'PUBLISHED' });
  });

  it('cannot be edited while the creating call may delete it, nor after that call has crashed', async () => {
    const { network, preparing } = pausingNetwork();
    const creating = unfinished();
    const end = expect(creating).rejects.toThrow(OwnershipLostError);
    await preparing.reached;
    const [post] = (await world.ask(listContentPosts, { query: { limit: '1' } })).body.contentPosts;
    const early = await changeOf(post.id, { content: 'Newer' });
    passTime(minuteMs);
    const late = await changeOf(post.id, { scheduledAt: soon() });
    await publish(post);
    preparing.open();
    await end;

    expect([early.status, late.status]).toEqual([409, 409]);
    expect(network.visible).toEqual([]);
  });
});

describe('a post with an unknown outcome', () => {
  it('is checked on a schedule, and becomes PUBLISHED when it is found', async () => {
    const post = await scheduled();
    passTime(minuteMs);
    const network = fakeNetwork();
    network.afterCommit = async () => {
      throw new NetworkError('FACEBOOK', 'outcomeUnknown', { message: 'No answer' });
    };
    await publish(post);
    expect(await world.readPost(post.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'OUTCOME_UNKNOWN',
    });
    network.probe = async () => ({ state: 'published', platformPostId: randomUUID(), url: null });
    passTime(2 * minuteMs);
    const due = await findDueItems('PUBLISH', 100);
    await publish(post);

    expect(due.map(({ pk }) => pk)).toContain(keys.contentPost(world.organizationId, post.id).pk);
    expect(await world.readPost(post.id)).toMatchObject({
      status: 'PUBLISHED',
      failureReason: null,
    });
    expect(network.calls.commit).toBe(1);
  });

  it('is not mistaken for another post of ours with the same text', async () => {
    const content = `Twice ${randomUUID()}`;
    const network = fakeNetwork();
    const first = await scheduled({ content });
    passTime(minuteMs);
    const published = await publish(first);
    const second = await scheduled({ content });
    network.afterCommit = async () => {
      throw new NetworkError('FACEBOOK', 'outcomeUnknown', { message: 'No answer' });
    };
    passTime(minuteMs);
    await publish(second);
    const platformPostId = published?.platformPostId ?? '';
    network.probe = async () => ({ state: 'published', platformPostId, url: null });
    passTime(2 * minuteMs);
    await publish(second);

    expect(await world.readPost(second.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'OUTCOME_UNKNOWN',
    });
  });

  it('is left for manual review in the end', async () => {
    const post = await scheduled();
    passTime(minuteMs);
    const network = fakeNetwork();
    network.afterCommit = async () => {
      throw new NetworkError('FACEBOOK', 'outcomeUnknown', { message: 'No answer' });
    };
    await publish(post);
    for (let looks = 0; looks < 6; looks += 1) {
      passTime(25 * 60 * minuteMs);
      await publish(post);
    }

    expect(network.calls).toMatchObject({ commit: 1, probe: 5 });
    const params = { post_id: post.id };
    expect((await world.ask(reconcileContentPost, { params })).status).toBe(200);
    await runDueWork();
  });
});
