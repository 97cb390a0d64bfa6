import { randomInt } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler as pollAll } from '#functions/jobs/comments-poll.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import {
  type CommentsPoll,
  planCommentsPoll,
} from '#lib/features/social/connection/comments-poll.ts';
import { maintainSubscription } from '#lib/features/social/connection/webhook-subscription.ts';
import { hourMs, minuteMs, secondMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, discard, write } from '#lib/platform/db/write.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import { createContentPost } from '#schemas/content.ts';
import type { Platform } from '#schemas/platforms.ts';
import { signedEvent } from '#scripts/fixtures/network-events.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { type Answer, call, lambdaContext } from '#tests/support/api.ts';
import { logSince, placeInLog } from '#tests/support/log-book.ts';
import { sandbox } from '#tests/support/mails.ts';
import { conversationsOf, deliver } from '#tests/support/network-events.ts';
import { networkOf } from '#tests/support/networks.ts';
import { startLater } from '#tests/support/own-table.ts';
import { connectAccount } from '#tests/support/social-accounts.ts';
import { drainWork } from '#tests/support/work.ts';
import { localServer } from '../../unit/vendors/networks/local-servers.ts';
import { stored } from './connections.ts';

const ada = await newAccount();

async function polledAccount(overrides: Partial<SocialAccount> = {}): Promise<SocialAccount> {
  const account = await connectedAccount(ada.organizationId, { platform: 'YOUTUBE', ...overrides });
  await write(...planCommentsPoll(account));

  return account;
}

/** Runs the job `minutes` from now, then the work it creates. */
async function poll(minutes = 0) {
  setClock(() => Date.now() + minutes * minuteMs);
  const report = await pollAll(undefined, lambdaContext(240_000));
  setClock();
  await drainWork('inbound-events');

  return report;
}

function comment(
  { platform, platformUserId: userId }: SocialAccount,
  text: string,
  options: { readonly deliveries?: number; readonly at?: string } = {},
) {
  return sandbox.network(platform).sendEvent({
    userId,
    type: 'comment',
    text,
    from: { id: `UC${userId}x`, name: 'Charles Babbage' },
    ...options,
  });
}

async function textsOf(account: SocialAccount): Promise<readonly string[]> {
  const conversations = await conversationsOf(ada, account);

  return conversations.flatMap(({ messages }) =>
    messages.map(({ text }: { text: string }) => text),
  );
}

describe('the comment polling job', () => {
  test('stores each comment once, however often it runs', async () => {
    const account = await polledAccount();
    await comment(account, 'First!');

    expect(await poll()).toMatchObject({ failed: 0 });
    await comment(account, 'Second');
    await poll(5);
    await poll(10);

    expect(await textsOf(account)).toEqual(['First!', 'Second']);
  });

  test.each([0, 59])('stores a comment that appears %i minutes late', async (minutes) => {
    const account = await polledAccount();
    const latestMs = Math.floor(Date.now() / secondMs) * secondMs;
    const at = new Date(latestMs - minutes * minuteMs).toISOString();
    await comment(account, 'First!', { at: new Date(latestMs).toISOString() });
    await poll();

    await comment(account, 'Late', { at });
    await poll(5);

    expect((await textsOf(account)).toSorted()).toEqual(['First!', 'Late']);
  });

  test('polls each account once in concurrent runs', async () => {
    const accounts = [await polledAccount(), await polledAccount()];
    await poll();
    setClock(() => Date.now() + 20 * minuteMs);

    const reports = await Promise.all(
      Array.from({ length: 3 }, () => pollAll(undefined, lambdaContext(240_000))),
    );

    const polled = reports.reduce((sum, report) => sum + report.polled, 0);
    expect(polled).toBeGreaterThanOrEqual(accounts.length);
    const calls = await sandbox.requests({
      service: 'youtube',
      contains: accounts[0]?.platformUserId ?? '',
    });
    expect(calls.filter(({ path }) => path.includes('commentThreads'))).toHaveLength(2);
  });

  test('continues with the other accounts when one fails, and retries that one in the next run', async () => {
    const [broken, well] = [await polledAccount({ accessToken: 'dead' }), await polledAccount()];
    await comment(well, 'Hello');

    const report = await poll();

    expect(report.failed).toBeGreaterThanOrEqual(1);
    expect(await textsOf(well)).toEqual(['Hello']);
    expect(await get(keys.commentsPoll(ada.organizationId, broken.id))).toBeDefined();
  });

  test('stops polling a deleted account', async () => {
    const account = await polledAccount();
    await write(discard(keys.socialAccount(ada.organizationId, account.id)));

    await poll();

    expect(await get(keys.commentsPoll(ada.organizationId, account.id))).toBeUndefined();
  });

  test.each([
    ['YOUTUBE', 1],
    ['LINKEDIN', 1],
    ['FACEBOOK', 0],
  ] as const)('polls %s according to its capabilities', (platform: Platform, writes) => {
    const account = { organizationId: ada.organizationId, id: 'x', platform };

    expect(planCommentsPoll(account)).toHaveLength(writes);
  });
});

describe('the YouTube polling budget', () => {
  /** Counts YouTube comment requests for one channel, or for all. */
  async function pollRequests(channel = ''): Promise<number> {
    const calls = await sandbox.requests({ service: 'youtube', contains: channel });

    return calls.filter(({ path }) => path.endsWith('/commentThreads')).length;
  }

  /** Runs the job at the given time. */
  async function runAt(moment: number) {
    setClock(() => moment);

    return startLater(() => pollAll(undefined, lambdaContext(240_000)));
  }

  test('polls a silent account less often, down to once an hour, until someone comments', async () => {
    const account = await polledAccount();
    const { platformUserId: channel } = account;
    const begin = Date.now();
    const during = async (fromMinute: number, toMinute: number) => {
      const before = await pollRequests(channel);
      for (let minute = fromMinute; minute < toMinute; minute += 5) {
        await runAt(begin + minute * minuteMs);
      }

      return (await pollRequests(channel)) - before;
    };

    expect(await during(0, 40)).toBe(8);
    expect(await during(14 * 60, 15 * 60)).toBe(1);
    setClock();
    await comment(account, 'At last');
    const key = keys.commentsPoll(ada.organizationId, account.id);
    await write(change(key, { set: { dueAt: new Date(begin).toISOString() } }));
    expect(await during(0, 40)).toBe(8);
  });

  test("limits requests to each hour's share of the daily budget, and 0 turns polling off", async () => {
    await Promise.all(Array.from({ length: 5 }, () => polledAccount()));
    // Midnight in YouTube's quota time zone, so far in the future that all accounts are due.
    const midnight = Date.parse('2031-01-10T08:00:00Z');
    const takenAt = async (hours: number) => {
      const before = await pollRequests();
      await runAt(midnight + hours * hourMs);
      await runAt(midnight + (hours + 0.25) * hourMs);

      return (await pollRequests()) - before;
    };
    vi.stubEnv('YOUTUBE_COMMENT_CALLS_PER_DAY', '0');
    expect(await takenAt(-48)).toBe(0);
    vi.stubEnv('YOUTUBE_COMMENT_CALLS_PER_DAY', '48');

    expect(await takenAt(0.25)).toBe(2);
    expect(await takenAt(0.6)).toBe(0);
    expect(await takenAt(1.25)).toBe(2);
    // The unused share of the previous two hours is added to this hour's share.
    expect(await takenAt(4.25)).toBe(6);
  });

  test('sends no requests until the quota resets after YouTube reports it as used up', async () => {
    const account = await polledAccount();
    const { platformUserId: channel } = account;
    const evening = Date.parse('2032-06-02T02:00:00Z');
    await sandbox.addFault({
      service: 'youtube',
      path: 'commentThreads',
      mode: 'error',
      status: 403,
      body: { error: { code: 403, message: 'Used up', errors: [{ reason: 'quotaExceeded' }] } },
    });
    await runAt(evening);
    await sandbox.clearFaults();
    expect(await pollRequests(channel)).toBe(1);

    for (const hours of [1, 3, 4.9]) {
      await runAt(evening + hours * hourMs);
    }
    expect(await pollRequests(channel)).toBe(1);
    await runAt(evening + 5.5 * hourMs);
    expect(await pollRequests(channel)).toBe(2);
  });
});

describe('comments that a network should have pushed', () => {
  afterEach(() => sandbox.network('TWITTER').setSettings({ rejectedEvents: [] }));

  /** Connects an account and returns it as stored. */
  async function connectedTo(platform: Platform): Promise<SocialAccount> {
    const platformUserId = `${Date.now()}${randomInt(1_000, 10_000)}`;
    const { id } = await connectAccount(ada.token, { platform, platformUserId });

    return (await stored({ id, organizationId: ada.organizationId })) as SocialAccount;
  }

  const pollOf = ({ id }: SocialAccount) =>
    get<CommentsPoll>(keys.commentsPoll(ada.organizationId, id));

  function publishAt(account: SocialAccount): Promise<Answer> {
    const body = {
      socialAccountId: account.id,
      platform: account.platform,
      content: 'New engines',
      mediaUrls: ['https://example.com/engine.jpg'],
    };

    return call(createContentPost, {
      token: ada.token,
      params: { organization_id: ada.organizationId },
      body,
    });
  }

  test('Instagram comments without an event are stored once and counted', async () => {
    const account = await connectedTo('INSTAGRAM');
    expect((await publishAt(account)).status).toBe(201);
    const delivered = await signedEvent(account, { text: 'Pushed' });
    await deliver('INSTAGRAM', delivered);
    await signedEvent(account, { text: 'Not pushed' });

    const place = placeInLog();
    expect(await poll(70)).toMatchObject({ missed: 1 });
    expect(logSince(place).join('\n')).toContain('"CommentsNotPushed":1');
    expect(await poll(140)).toMatchObject({ missed: 0 });
    expect((await textsOf(account)).toSorted()).toEqual(['Not pushed', 'Pushed']);
  });

  test('Instagram is polled hourly, for 72 hours back, and not before the account', async () => {
    const account = await connectedTo('INSTAGRAM');
    await publishAt(account);
    await signedEvent(account, { text: 'Late' });
    const calls = async () => {
      const { platformUserId: contains } = account;
      const made = await sandbox.requests({ service: 'instagram', contains });

      return made.filter(({ method, path }) => method === 'GET' && path.endsWith('/media')).length;
    };
    await poll(0);
    await poll(30);
    expect(await calls()).toBe(1);
    const startedAt = new Date(Date.now() - 100 * hourMs).toISOString();
    const key = keys.commentsPoll(ada.organizationId, account.id);
    await write(change(key, { set: { startedAt } }));
    await poll(73 * 60);
    expect(await textsOf(account)).toEqual([]);
    await write(change(key, { set: { dueAt: new Date().toISOString() } }));
    await poll(71 * 60);
    expect(await textsOf(account)).toEqual(['Late']);
    await write(change(key, { set: { startedAt: new Date(Date.now() + hourMs).toISOString() } }));
    await signedEvent(account, { text: 'From before the account' });
    await poll(80 * 60);
    expect(await textsOf(account)).toEqual(['Late']);
  });

  /** Answers X's challenges, like the deployed service at its public URL. */
  async function answerChallenges(): Promise<void> {
    const origin = await localServer(async (request, response) => {
      const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const reply = await networkOf('TWITTER').answerChallenge(Object.fromEntries(searchParams));
      response.writeHead(reply?.status ?? 404).end(reply?.body);
    });
    vi.stubEnv('PUBLIC_BASE_URL', origin);
  }

  test('X is polled as long as it rejects the subscription to replies', async () => {
    await answerChallenges();
    const network = sandbox.network('TWITTER');
    await network.setSettings({ rejectedEvents: ['post.reply.create'] });
    const account = await connectedTo('TWITTER');
    expect(await pollOf(account)).toBeDefined();
    await comment(account, 'How much?', { deliveries: 0 });
    await poll();
    await poll(10);
    expect(await textsOf(account)).toEqual(['How much?']);
    await network.setSettings({ rejectedEvents: [] });
    await maintain(account);

    expect(await pollOf(account)).toBeUndefined();
  });

  test('X is polled when the whole subscription is rejected', async () => {
    await sandbox.addFault({ service: 'twitter', path: 'webhooks', mode: 'error', status: 401 });
    const account = await connectedTo('TWITTER');
    expect(await pollOf(account)).toBeUndefined();
    await maintain(account);

    expect(await pollOf(account)).toBeDefined();
  });

  test('X is not polled when it pushes comments', async () => {
    await answerChallenges();
    const account = await connectedTo('TWITTER');

    expect(account.subscribedAt).toEqual(expect.any(String));
    expect(await pollOf(account)).toBeUndefined();
  });

  async function maintain({ organizationId, id: accountId }: SocialAccount): Promise<void> {
    const payload = { organizationId, accountId };
    await maintainSubscription({ payload } as WorkRequest<'accountSubscription'>);
  }
});
