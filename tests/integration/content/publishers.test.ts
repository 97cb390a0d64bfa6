import { randomInt } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { handler as contentPublish } from '#functions/jobs/content-publish.ts';
import { createPost } from '#lib/features/content/create-post.ts';
import type { ContentPost } from '#lib/features/content/posts/post.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { hourMs, minuteMs, now, secondMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { discard, write } from '#lib/platform/db/write.ts';
import type { OutboxItem } from '#lib/platform/work/outbox.ts';
import { createContentPost } from '#schemas/content.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { newIntent } from '#tests/support/content.ts';
import { depth } from '#tests/support/depth.ts';
import { callInProcess, runInProcess } from '#tests/support/doomed-call.ts';
import { sandbox } from '#tests/support/mails.ts';
import { startLater } from '#tests/support/own-table.ts';
import { patiently } from '#tests/support/patience.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { drainWork, sqsEvent, takeWork } from '#tests/support/work.ts';

const proxy = await useProxy();

const publishers = 4;

async function connectedAccounts(organizationId: string, count: number) {
  const numbers = Array.from({ length: count }, (_, number) => number);

  return atMostAtOnce(8, numbers, () => connectedAccount(organizationId));
}

/** Creates scheduled posts, alternating between the accounts. `dueAtMs` sets when each is due. */
async function scheduledPosts(
  accounts: readonly SocialAccount[],
  count: number,
  dueAtMs: (number: number) => number,
): Promise<readonly ContentPost[]> {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const created = await atMostAtOnce(8, numbers, (number) => {
    const { id = '', organizationId = '' } = accounts[number % accounts.length] ?? {};
    const scheduledAt = new Date(dueAtMs(number)).toISOString();
    const content = `Post number ${number}`;
    const details = { socialAccountId: id, platform: 'FACEBOOK', content, scheduledAt } as const;

    return createPost(organizationId, newIntent(), details);
  });

  return created.map(({ post }) => post);
}

/** Creates posts that became due some time ago. */
async function overduePosts(accounts: readonly SocialAccount[], count: number, dueForMs: number) {
  setClock(() => Date.now() - dueForMs - minuteMs);
  const posts = await scheduledPosts(accounts, count, () => now() + minuteMs);
  setClock();

  return posts;
}

const published = (account: SocialAccount) =>
  sandbox.network('FACEBOOK').posts(account.platformUserId);

async function publishedTexts(accounts: readonly SocialAccount[]): Promise<readonly string[]> {
  const posts = await Promise.all(accounts.map(published));

  return posts
    .flat()
    .map(({ text }) => text)
    .toSorted();
}

const textsOf = (posts: readonly ContentPost[]) => posts.map(({ content }) => content).toSorted();

async function storedPosts(posts: readonly ContentPost[]): Promise<readonly ContentPost[]> {
  const stored = await getMany<ContentPost>(
    posts.map(({ organizationId, id }) => keys.contentPost(organizationId, id)),
  );

  return stored.filter((post) => post !== undefined);
}

async function statesOf(posts: readonly ContentPost[]) {
  const byState = Map.groupBy(await storedPosts(posts), ({ state }) => state);

  return Object.fromEntries([...byState].map(([state, own]) => [state, own.length]));
}

function roundKey({ organizationId, id }: SocialAccount) {
  return keys.outbox(keys.organization(organizationId), 'contentPublish', id);
}

/** Kills a publisher process during its first network call. */
async function killDuringCall(account: SocialAccount): Promise<void> {
  await sandbox.addFault({
    service: 'facebook',
    method: 'POST',
    path: `/${account.platformUserId}/feed`,
    mode: 'hang-after',
    times: 1,
  });
  vi.stubEnv('REMAINING_MS', '150000');
  const doomed = await runInProcess(
    'workers/content-publishing',
    sqsEvent([{ MessageId: '1', Body: JSON.stringify(roundKey(account)) }]),
    String(process.env.DYNAMODB_ENDPOINT),
  );
  await expect.poll(async () => (await published(account)).length).toBe(1);
  await doomed.kill();
}

describe('four publishers, one of which is killed during a call', () => {
  const postCount = depth(40, 1_000);
  const accountCount = Math.min(20, Math.max(4, Math.ceil(postCount / 50)));

  it("publish each post exactly once, and the killed one's posts within a minute", async () => {
    const { organizationId } = await newAccount();
    const accounts = await connectedAccounts(organizationId, accountCount);
    const [doomed] = accounts as [SocialAccount, ...SocialAccount[]];
    const posts = await overduePosts(accounts, postCount, 9 * minuteMs);
    expect((await contentPublish()).accounts).toBe(accountCount);
    await killDuringCall(doomed);
    const killedAtMs = Date.now();
    setClock(() => killedAtMs);
    await Promise.all(
      Array.from({ length: publishers - 1 }, () => drainWork('content-publishing')),
    );
    const ofOthers = posts.filter(({ targetAccountId: accountId }) => accountId !== doomed.id);
    expect(await statesOf(ofOthers)).toEqual({ PUBLISHED: ofOthers.length });
    expect(await statesOf(posts)).toMatchObject({ SCHEDULED: posts.length - ofOthers.length });
    // If a tick comes shortly before the lease ends, the killed publisher's work is still done.
    const round = await get<OutboxItem>(roundKey(doomed));
    const leaseEndMs = Date.parse(round?.leaseUntil ?? '');
    setClock(() => leaseEndMs - secondMs / 2);
    await contentPublish();
    setClock(() => leaseEndMs + 1);
    await vi.waitFor(async () => {
      await drainWork('content-publishing');
      expect(await statesOf(posts)).toEqual({ PUBLISHED: posts.length });
    }, patiently);

    expect(now() - killedAtMs).toBeLessThan(minuteMs);
    expect(await publishedTexts(accounts)).toEqual(textsOf(posts));
    expect(await startLater(() => findDueItems('PUBLISH', 10))).toEqual([]);
    expect(await findDueItems('PUBLISHING', 10, timestamp(minuteMs))).toEqual([]);
  });
});

describe('publishers that are killed repeatedly at random points', () => {
  const postCount = depth(10, 500);
  const wantedKills = depth(1, 50);

  it('publish no post twice, lose none, and leave none in progress', async () => {
    const { organizationId } = await newAccount();
    const accounts = await connectedAccounts(organizationId, publishers);
    const posts = await overduePosts(accounts, postCount, 4 * hourMs);
    vi.stubEnv('REMAINING_MS', '150000');
    let kills = 0;
    // The clock starts in the past, so that the network's timestamps are later than the service's.
    let aheadMs = -4 * hourMs;
    setClock(() => Date.now() + aheadMs);
    for (; (await statesOf(posts)).SCHEDULED; aheadMs += minuteMs) {
      vi.stubEnv('CLOCK_AHEAD_MS', String(aheadMs));
      await contentPublish();
      const { Records } = await takeWork('content-publishing');
      const running = await Promise.all(
        Records.map(({ body }) => {
          const event = sqsEvent([{ MessageId: '1', Body: body }]);

          return runInProcess('workers/content-publishing', event, proxy.endpoint);
        }),
      );
      for (const [index, { pid }] of running.slice(0, wantedKills - kills).entries()) {
        // Kills the publisher at its first post or some posts later, before or after a write.
        proxy.faults.add({
          operation: ['UpdateItem', 'TransactWriteItems'],
          nth: 10 * index + randomInt(1, 10),
          fault: { kind: 'kill', when: randomInt(2) === 0 ? 'before' : 'after', victim: pid },
        });
      }
      const answers = await Promise.all(running.map(({ answer }) => answer));
      kills += answers.filter((answer) => answer === undefined).length;
      proxy.faults.clear();
    }

    const stored = await storedPosts(posts);
    const known = stored.filter(({ state }) => state === 'PUBLISHED');
    const texts = await publishedTexts(accounts);
    expect(kills).toBe(wantedKills);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).toEqual(textsOf(known));
    for (const post of stored.filter(({ state }) => state !== 'PUBLISHED')) {
      expect(post).toMatchObject({ state: 'FAILED', failureCode: 'OUTCOME_UNKNOWN' });
    }
  });
});

describe('many posts due in one minute', () => {
  const postCount = depth(50, 10_000);

  it('are published within a minute of their time, and none before', async () => {
    const { organizationId } = await newAccount();
    const accounts = await connectedAccounts(organizationId, Math.ceil(postCount / 50) + 3);
    // Prevents that a busy machine looks like a network timeout.
    vi.stubEnv('NETWORK_TIMEOUT_MS', '60000');
    let atMs = Date.now();
    setClock(() => atMs);
    const beginMs = atMs + minuteMs;
    const dueAtMs = (number: number) => beginMs + Math.floor((number * minuteMs) / postCount);
    const posts = await scheduledPosts(accounts, postCount, dueAtMs);
    for (const tickMs of [beginMs - 1, beginMs + minuteMs / 2, beginMs + minuteMs]) {
      atMs = tickMs;
      await contentPublish();
      await Promise.all(Array.from({ length: 8 }, () => drainWork('content-publishing')));
      const due = posts.filter(({ scheduledAt = '' }) => Date.parse(scheduledAt) <= tickMs);
      const taken = (await storedPosts(posts)).filter(({ attempt }) => attempt > 0);

      expect(textsOf(taken)).toEqual(textsOf(due));
      expect(await publishedTexts(accounts)).toEqual(textsOf(due));
    }

    for (const { armedAt = '', scheduledAt = '' } of await storedPosts(posts)) {
      const lateMs = Date.parse(armedAt) - Date.parse(scheduledAt);
      expect(lateMs).toBeGreaterThanOrEqual(0);
      expect(lateMs).toBeLessThanOrEqual(minuteMs);
    }
  });
});

describe('retrying a post with its Idempotency-Key', () => {
  /** Kills a call at its nth transaction. */
  async function crashedCall(nth: number, when: 'before' | 'after', details: object = {}) {
    const { organizationId, token } = await newAccount();
    const account = await connectedAccount(organizationId);
    const params = { organization_id: organizationId };
    const body = { socialAccountId: account.id, platform: account.platform, content: 'Once' };
    const headers = { 'idempotency-key': 'one post' };
    const request = { token, params, headers, body: { ...body, ...details } };
    const doomed = await callInProcess(createContentPost, request, proxy.endpoint);
    const fault = { kind: 'kill', when, victim: doomed.kill } as const;
    proxy.faults.add({ operation: 'TransactWriteItems', nth, fault });
    expect(await doomed.answer).toBeUndefined();
    setClock(() => Date.now() + minuteMs);

    return { account, again: () => call(createContentPost, request) };
  }

  const inAnHour = () => ({ scheduledAt: timestamp(hourMs) });

  async function publish(): Promise<void> {
    await contentPublish();
    await drainWork('content-publishing');
  }

  it.each([
    [
      'an immediate post whose first call crashed before sending',
      2,
      'before',
      { isScheduled: false },
    ],
    ['a scheduled post whose first response was lost', 1, 'after', { isScheduled: true }],
  ] as const)('publishes once: %s', async (_, nth, when, { isScheduled }) => {
    const { account, again } = await crashedCall(nth, when, isScheduled ? inAnHour() : {});

    const { status, body } = await again();
    setClock(() => Date.now() + hourMs + minuteMs);
    await publish();

    expect(status).toBe(201);
    expect(await publishedTexts([account])).toEqual(['Once']);
    expect(await statesOf([body.contentPost])).toEqual({ PUBLISHED: 1 });
  });

  it('returns the current state when the post was published in the meantime', async () => {
    const { account, again } = await crashedCall(1, 'after', inAnHour());
    setClock(() => Date.now() + hourMs + minuteMs);
    await publish();
    const { organizationId } = account;
    await write(discard(keys.socialAccount(organizationId, account.id)));

    const { status, body } = await again();

    expect([status, body.contentPost?.status]).toEqual([201, 'PUBLISHED']);
    expect(await publishedTexts([account])).toEqual(['Once']);
  });

  it('publishes a post whose first call crashed before sending once its leftovers are removed', async () => {
    const { account, again } = await crashedCall(1, 'after');

    expect((await again()).status).toBe(502);
    await publish();
    expect(await publishedTexts([account])).toEqual([]);
    expect((await again()).status).toBe(201);
    expect(await publishedTexts([account])).toEqual(['Once']);
  });
});
