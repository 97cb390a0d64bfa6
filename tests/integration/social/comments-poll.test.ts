import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { handler as pollAll } from '#functions/jobs/comments-poll.ts';
import { minuteMs, setClock } from '#lib/clock.ts';
import { keys } from '#lib/db/keys.ts';
import { get } from '#lib/db/read.ts';
import { discard, write } from '#lib/db/write.ts';
import type { SocialAccount } from '#lib/social/accounts.ts';
import { planCommentsPoll } from '#lib/social/intake/poll-comments.ts';
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
