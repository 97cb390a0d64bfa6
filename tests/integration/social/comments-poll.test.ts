import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { handler as pollAll } from '#functions/jobs/comments-poll.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { planCommentsPoll } from '#lib/features/social/intake/poll-comments.ts';
import { hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, discard, write } from '#lib/platform/db/write.ts';
import type { Platform } from '#schemas/platforms.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { connectedAccount, conversationsOf } from '#tests/support/network-events.ts';
import { drainWork } from '#tests/support/work.ts';

let ada: Account;

beforeAll(async () => {
  ada = await newAccount();
});
afterEach(async () => {
  setClock();
  vi.unstubAllEnvs();
  await sandbox.clearFaults();
});

async function polledAccount(overrides: Partial<SocialAccount> = {}): Promise<SocialAccount> {
  const account = await connectedAccount(ada.organizationId, { platform: 'YOUTUBE', ...overrides });
  await write(...planCommentsPoll(account));

  return account;
}

/** A run of the job `minutes` from now, and the work that it makes. */
async function poll(minutes = 0) {
  setClock(() => Date.now() + minutes * minuteMs);
  const report = await pollAll(undefined, lambdaContext(240_000));
  setClock();
  await drainWork('inbound-events');

  return report;
}

function comment({ platform, platformUserId: userId }: SocialAccount, text: string) {
  return sandbox.network(platform).sendEvent({
    userId,
    type: 'comment',
    text,
    from: { id: `UC${userId}x`, name: 'Charles Babbage' },
  });
}

async function textsOf(account: SocialAccount): Promise<readonly string[]> {
  const conversations = await conversationsOf(ada, account);

  return conversations.flatMap(({ messages }) =>
    messages.map(({ text }: { text: string }) => text),
  );
}

describe('the job that fetches comments', () => {
  test('takes each comment once, however often it runs', async () => {
    const account = await polledAccount();
    await comment(account, 'First!');

    expect(await poll()).toMatchObject({ failed: 0 });
    await comment(account, 'Second');
    await poll(5);
    await poll(10);

    expect(await textsOf(account)).toEqual(['First!', 'Second']);
  });

  test('run twice at once polls each account once', async () => {
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

  test('goes on with the others where one fails, which is tried again the next time', async () => {
    const [broken, well] = [await polledAccount({ accessToken: 'dead' }), await polledAccount()];
    await comment(well, 'Hello');

    const report = await poll();

    expect(report.failed).toBeGreaterThanOrEqual(1);
    expect(await textsOf(well)).toEqual(['Hello']);
    expect(await get(keys.commentsPoll(ada.organizationId, broken.id))).toBeDefined();
  });

  test('forgets an account that is gone', async () => {
    const account = await polledAccount();
    await write(discard(keys.socialAccount(ada.organizationId, account.id)));

    await poll();

    expect(await get(keys.commentsPoll(ada.organizationId, account.id))).toBeUndefined();
  });

  test.each([
    ['YOUTUBE', 1],
    ['LINKEDIN', 1],
    ['FACEBOOK', 0],
  ] as const)('polls %s as its capabilities say', (platform: Platform, writes) => {
    const account = { organizationId: ada.organizationId, id: 'x', platform };

    expect(planCommentsPoll(account)).toHaveLength(writes);
  });
});

describe('what looks for comments cost', () => {
  /** How often YouTube was asked for comments, of one channel or of all. */
  async function looks(channel = ''): Promise<number> {
    const calls = await sandbox.requests({ service: 'youtube', contains: channel });

    return calls.filter(({ path }) => path.endsWith('/commentThreads')).length;
  }

  /** A run of the job at a moment of its own. */
  async function runAt(moment: number) {
    setClock(() => moment);

    return pollAll(undefined, lambdaContext(240_000));
  }

  test('grows rarer with the silence of an account, down to once an hour, until somebody comments', async () => {
    const account = await polledAccount();
    const { platformUserId: channel } = account;
    const begin = Date.now();
    const during = async (fromMinute: number, toMinute: number) => {
      const before = await looks(channel);
      for (let minute = fromMinute; minute < toMinute; minute += 5) {
        await runAt(begin + minute * minuteMs);
      }

      return (await looks(channel)) - before;
    };

    expect(await during(0, 40)).toBe(8);
    expect(await during(14 * 60, 15 * 60)).toBe(1);
    setClock();
    await comment(account, 'At last');
    const key = keys.commentsPoll(ada.organizationId, account.id);
    await write(change(key, { set: { dueAt: new Date(begin).toISOString() } }));
    expect(await during(0, 40)).toBe(8);
  });

  test('is no more by each hour than its share of the day, and 0 switches them off', async () => {
    await Promise.all(Array.from({ length: 5 }, () => polledAccount()));
    // Midnight where YouTube counts its days, so far away that all accounts are due.
    const midnight = Date.parse('2031-01-10T08:00:00Z');
    const takenAt = async (hours: number) => {
      const before = await looks();
      await runAt(midnight + hours * hourMs);
      await runAt(midnight + (hours + 0.25) * hourMs);

      return (await looks()) - before;
    };
    vi.stubEnv('YOUTUBE_COMMENT_CALLS_PER_DAY', '0');
    expect(await takenAt(-48)).toBe(0);
    vi.stubEnv('YOUTUBE_COMMENT_CALLS_PER_DAY', '48');

    expect(await takenAt(0.25)).toBe(2);
    expect(await takenAt(0.6)).toBe(0);
    expect(await takenAt(1.25)).toBe(2);
    // What nobody took in the two hours before is there beside the hour's own.
    expect(await takenAt(4.25)).toBe(6);
  });

  test('is nothing until the quota begins anew, where YouTube says that it is used up', async () => {
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
    expect(await looks(channel)).toBe(1);

    for (const hours of [1, 3, 4.9]) {
      await runAt(evening + hours * hourMs);
    }
    expect(await looks(channel)).toBe(1);
    await runAt(evening + 5.5 * hourMs);
    expect(await looks(channel)).toBe(2);
  });
});
