import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { handler as contentPublish } from '#functions/jobs/content-publish.ts';
import { publishDuePost } from '#lib/features/content/publishing/publish-account.ts';
import { hourMs, minuteMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { put, write } from '#lib/platform/db/write.ts';
import { logger } from '#lib/platform/log/logger.ts';
import { newWebhookEndpoint } from '#lib/platform/webhooks/endpoint-secrets.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import {
  createContentPost,
  deleteContentPost,
  listContentPosts,
  preflightContentPost,
  updateContentPost,
} from '#schemas/content.ts';
import { connectedAccount, storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { fakeNetwork } from './fake-network.ts';
import { bodyFor, clockOfTest, contentSetup } from './setup.ts';

/**
 * Common complaints about scheduling systems: "it said scheduled, or published, but it was not".
 * Each test shows that this cannot happen here.
 */
const clock = clockOfTest();

const passTime = (ms: number) => {
  clock.aheadMs += ms;
};

const world = await contentSetup();

const soon = () => timestamp(30 * secondMs);
const scheduled = (details = {}) => world.newPost({ scheduledAt: soon(), ...details });

async function tick(): Promise<void> {
  passTime(minuteMs);
  await contentPublish();
  await drainWork('content-publishing');
}

function publish({ id }: { readonly id: string }) {
  return publishDuePost(world.organizationId, world.account.id, id);
}

async function timesPublished(text: string): Promise<number> {
  return (await world.published()).filter((published) => published === text).length;
}

describe('a post created with the API', () => {
  it('is published when due, without anyone opening an app', async () => {
    const post = await scheduled();
    await tick();

    expect(await timesPublished(post.content)).toBe(1);
  });

  it('is published once, late, after the schedule did not run for hours', async () => {
    const post = await scheduled();
    passTime(5 * hourMs);
    await tick();
    await tick();

    expect(await timesPublished(post.content)).toBe(1);
  });

  it('is due at the given instant, even on days with clock changes', async () => {
    const said = ['2030-03-31T01:59:00+01:00', '2030-03-31T03:00:00+02:00'];
    const posts = await Promise.all(said.map((scheduledAt) => scheduled({ scheduledAt })));

    expect(posts.map(({ scheduledAt }) => scheduledAt)).toEqual([
      '2030-03-31T00:59:00.000Z',
      '2030-03-31T01:00:00.000Z',
    ]);
  });

  it('can be scheduled for any future time in any time zone', async () => {
    const times = [secondMs, hourMs, 300 * 24 * hourMs].map((ms) => timestamp(ms));
    const inZones = times.map((time) => time.replace('Z', '+00:00'));
    const answers = await Promise.all(
      [...times, ...inZones].map((scheduledAt) =>
        world.ask(createContentPost, { body: { ...bodyFor(world.account), scheduledAt } }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(answers.map(({ body }) => body.contentPost.scheduledAt)).toEqual([...times, ...times]);
    await Promise.all(
      answers.map(({ body }) =>
        world.ask(deleteContentPost, { params: { post_id: body.contentPost.id } }),
      ),
    );
  });

  it('is rejected early with the field and the rule when it cannot be published', async () => {
    const account = await storeSocialAccount(world.organizationId, { platform: 'TIKTOK' });
    const body = { ...bodyFor(account), scheduledAt: soon() };
    const { body: refusal } = await world.ask(createContentPost, { body });
    const preflight = await world.ask(preflightContentPost, {
      body: { ...body, platform: 'TWITTER' },
    });

    expect(refusal.message).toEqual([expect.stringMatching(/^mediaUrls .*TIKTOK.*textOnlyPost/)]);
    const failed = preflight.body.preflight.checks.filter(
      ({ passed }: { readonly passed: boolean }) => !passed,
    );
    expect(preflight.body.preflight.isReady).toBe(false);
    expect(failed.map(({ check }: { readonly check: string }) => check)).toContain('platform');
  });
});

describe('the status PUBLISHED', () => {
  it('means that the network has the post under the returned id', async () => {
    const post = await world.newPost();
    const onNetwork = await sandbox.network('FACEBOOK').posts(world.account.platformUserId);

    expect(onNetwork.find(({ id }) => id === post.platformPostId)?.text).toBe(post.content);
  });

  it('is never set after an error response from the network', async () => {
    const post = await scheduled();
    await sandbox.addFault({
      service: 'facebook',
      method: 'POST',
      mode: 'error',
      status: 400,
      body: JSON.stringify({ error: { code: 100, message: 'No', type: 'OAuthException' } }),
    });
    await tick();

    expect(await world.readPost(post.id)).toMatchObject({ status: 'FAILED', failureReason: 'No' });
  });

  it('is never set after a response without a post id', async () => {
    const post = await scheduled();
    const fault = { service: 'facebook', method: 'POST', mode: 'error', status: 200 } as const;
    await sandbox.addFault({ ...fault, body: '{}' });
    await tick();

    expect(await world.readPost(post.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'OUTCOME_UNKNOWN',
    });
  });
});

describe('a post that failed to publish', () => {
  it("is reported in the log, to the account's webhook and to the owners by mail", async () => {
    const { organizationId } = world;
    const account = await connectedAccount(organizationId);
    const { endpoint } = await newWebhookEndpoint(
      organizationId,
      account.id,
      'https://hooks.example.com/',
    );
    await write(put(keys.webhookEndpoint(organizationId, account.id), endpoint));
    const post = await scheduled(bodyFor(account));
    const network = fakeNetwork();
    network.beforeCommit = async () => {
      throw new NetworkError('FACEBOOK', 'refused', { message: 'Not this' });
    };
    passTime(minuteMs);
    const lines = vi.spyOn(logger, 'warn');
    await publishDuePost(organizationId, account.id, post.id);
    const logged = lines.mock.calls.map(([, details]) => details);
    lines.mockRestore();

    expect(logged).toContainEqual(
      expect.objectContaining({ postId: post.id, failureReason: 'Not this' }),
    );
    const deliveries = await storedItems(`ORG#${organizationId}#WEBHOOK_DELIVERIES`);
    const told = deliveries
      .map(({ body }) => String(body))
      .filter((body) => body.includes(post.id));
    expect(told).toEqual([expect.stringContaining('content.failed')]);
    const mails = await mailsTo(world.owner.email);
    expect(mails.filter(({ text }) => text?.includes(post.content))).toHaveLength(1);
  });
});

describe('a post that was edited or deleted', () => {
  it('is not published at its former time', async () => {
    const post = await scheduled();
    const params = { post_id: post.id };
    await world.ask(updateContentPost, { params, body: { scheduledAt: timestamp(hourMs) } });
    await tick();
    expect(await timesPublished(post.content)).toBe(0);
    passTime(hourMs);
    await tick();

    expect(await timesPublished(post.content)).toBe(1);
  });

  it('is never published once deleted', async () => {
    const post = await scheduled();
    await world.ask(deleteContentPost, { params: { post_id: post.id } });
    await tick();

    expect(await timesPublished(post.content)).toBe(0);
    const due = await findDueItems('PUBLISH', 100);
    expect(due.map(({ pk }) => pk)).not.toContain(
      keys.contentPost(world.organizationId, post.id).pk,
    );
  });
});

describe('a post that is being published', () => {
  it('always ends as PUBLISHED or FAILED, whatever its network does', async () => {
    const networks = [
      async () => ({ state: 'pending', handle: {}, retryAfterMs: minuteMs }) as const,
      async () => {
        throw new NetworkError('FACEBOOK', 'unavailable', { message: 'Down' });
      },
      async () => {
        throw new NetworkError('FACEBOOK', 'outcomeUnknown', { message: 'No answer' });
      },
      async () => {
        throw new Error('A bug');
      },
    ];
    for (const prepare of networks) {
      const post = await scheduled();
      const network = fakeNetwork();
      network.prepare = prepare;
      for (let hours = 0; hours < 10; hours += 1) {
        passTime(hourMs);
        await publish(post);
      }
      const left = await world.readPost(post.id);

      expect(left.status).toBe('FAILED');
      expect(left.failureReason).toBeTruthy();
    }
  });

  it('is not polled forever when the network accepts it but never shows it', async () => {
    const post = await scheduled();
    const network = fakeNetwork();
    network.afterCommit = async () => ({ state: 'processing', handle: {}, retryAfterMs: hourMs });
    network.probe = async () => ({ state: 'processing', retryAfterMs: hourMs });
    for (let hours = 0; hours < 30; hours += 1) {
      passTime(2 * hourMs);
      await publish(post);
    }

    expect(await world.readPost(post.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'OUTCOME_UNKNOWN',
    });
    expect(network.calls.commit).toBe(1);
  });
});

describe('a network response', () => {
  it('never leads to a second post when it is ambiguous', async () => {
    const post = await scheduled();
    const network = fakeNetwork();
    network.afterCommit = async () => {
      throw new NetworkError('FACEBOOK', 'outcomeUnknown', { message: '502' });
    };
    for (let minutes = 0; minutes < 30; minutes += 1) {
      passTime(minuteMs);
      await publish(post);
    }

    expect(network.visible).toEqual([post.content]);
  });

  it('is not retried when it is a permanent rejection', async () => {
    const post = await scheduled();
    const network = fakeNetwork();
    network.beforeCommit = async () => {
      throw new NetworkError('TIKTOK', 'refused', { message: 'unaudited_client' });
    };
    for (let minutes = 0; minutes < 5; minutes += 1) {
      passTime(minuteMs);
      await publish(post);
    }

    expect(network.calls.commit).toBe(1);
    expect(await world.readPost(post.id)).toMatchObject({
      status: 'FAILED',
      failureReason: 'unaudited_client',
    });
  });

  it('with a handle is stored before the network is polled', async () => {
    const post = await scheduled();
    passTime(minuteMs);
    const network = fakeNetwork();
    network.afterCommit = async () => ({
      state: 'processing',
      handle: { publishId: 'p-1' },
      retryAfterMs: secondMs,
    });
    const sent = await publish(post);
    expect(sent?.handle).toEqual({ publishId: 'p-1' });
    passTime(minuteMs);
    network.probe = async () => ({ state: 'published', platformPostId: randomUUID(), url: null });
    await publish(post);

    expect(network.calls).toMatchObject({ commit: 1, probe: 1 });
  });
});

describe('repeating a request', () => {
  it('creates one post with an Idempotency-Key', async () => {
    const call = { body: bodyFor(world.account), headers: { 'idempotency-key': randomUUID() } };
    const answers = [
      await world.ask(createContentPost, call),
      await world.ask(createContentPost, call),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(await timesPublished(call.body.content)).toBe(1);
  });
});

describe('two posts with the same keyword', () => {
  it('make the second creation return 409 and leave the first unchanged', async () => {
    const keyword = randomUUID();
    const first = await world.newPost({ draft: true, keyword });
    const body = { ...bodyFor(world.account), keyword, draft: true };

    expect((await world.ask(createContentPost, { body })).status).toBe(409);
    const { contentPosts } = (await world.ask(listContentPosts, { query: { keyword } })).body;
    expect(contentPosts).toEqual([first]);
  });
});

describe('an idle service', () => {
  it('only queries the index on each tick', async () => {
    await drainWork();
    const posts = await findDueItems('PUBLISH', 100);
    const since = new Date().toISOString();
    await contentPublish();

    expect(posts).toEqual([]);
    expect(await sandbox.requests({ service: 'facebook', since })).toEqual([]);
  });
});
