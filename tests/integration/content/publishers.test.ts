import { afterEach, describe, expect, it, vi } from 'vitest';
import { handler as contentPublish } from '#functions/jobs/content-publish.ts';
import { atMostAtOnce } from '#lib/at-most-at-once.ts';
import { minuteMs, setClock, timestamp } from '#lib/clock.ts';
import { createPost } from '#lib/content/create-post.ts';
import type { ContentPost } from '#lib/content/post.ts';
import { connectAccount } from '#lib/content/publishing/connect-account.ts';
import { findDueItems } from '#lib/db/due-work.ts';
import { keys } from '#lib/db/keys.ts';
import { getMany } from '#lib/db/read.ts';
import type { SocialAccount } from '#lib/social/accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { connectedAccount } from '#tests/support/content.ts';
import { depth } from '#tests/support/depth.ts';
import { runInProcess } from '#tests/support/doomed-call.ts';
import { sandbox } from '#tests/support/mails.ts';
import { drainWork, sqsEvent } from '#tests/support/work.ts';

/** `TEST_DEPTH=25` makes it 1,000 posts on 20 accounts. */
const postCount = depth(40);
const accountCount = Math.min(20, Math.max(4, Math.ceil(postCount / 50)));
const publishers = 4;

afterEach(async () => {
  vi.unstubAllEnvs();
  setClock();
  await sandbox.clearFaults();
});

async function duePosts(
  organizationId: string,
  accounts: readonly SocialAccount[],
): Promise<readonly ContentPost[]> {
  setClock(() => Date.now() - 10 * minuteMs);
  const scheduledAt = timestamp(minuteMs);
  const created = await atMostAtOnce(
    8,
    Array.from({ length: postCount }, (_, n) => n),
    (n) =>
      createPost(
        organizationId,
        {
          socialAccountId: accounts[n % accounts.length]?.id ?? '',
          platform: 'FACEBOOK',
          content: `Post number ${n}`,
          scheduledAt,
        },
        connectAccount,
      ),
  );
  setClock();

  return created.map(({ post }) => post);
}

const published = (account: SocialAccount) =>
  sandbox.network('FACEBOOK').posts(account.platformUserId);

/** A publisher in a process of its own that is killed while the network has its first call. */
async function dieInTheMiddle(organizationId: string, account: SocialAccount): Promise<void> {
  await sandbox.addFault({
    service: 'facebook',
    method: 'POST',
    path: `/${account.platformUserId}/feed`,
    mode: 'hang-after',
    times: 1,
  });
  const key = keys.outbox(keys.organization(organizationId), 'contentPublish', account.id);
  vi.stubEnv('REMAINING_MS', '150000');
  const doomed = runInProcess(
    'workers/content-publishing',
    sqsEvent([{ MessageId: '1', Body: JSON.stringify(key) }]),
    String(process.env.DYNAMODB_ENDPOINT),
  );
  await expect
    .poll(async () => (await published(account)).length, { timeout: 30_000, interval: 50 })
    .toBe(1);
  await doomed.kill();
}

describe('four publishers, one of which is killed in the middle of a call', () => {
  it('publish each post that is due exactly once, and lose none', {
    timeout: 600_000,
  }, async () => {
    const { organizationId } = await newAccount();
    const accounts: SocialAccount[] = [];
    while (accounts.length < accountCount) {
      accounts.push(await connectedAccount(organizationId));
    }
    const [doomed] = accounts as [SocialAccount, ...SocialAccount[]];
    const posts = await duePosts(organizationId, accounts);
    expect((await contentPublish()).accounts).toBe(accountCount);
    const dying = dieInTheMiddle(organizationId, doomed);
    await expect
      .poll(async () => (await published(doomed)).length, { timeout: 30_000, interval: 50 })
      .toBe(1);
    await Promise.all([
      dying,
      ...Array.from({ length: publishers - 1 }, () => drainWork('content-publishing')),
    ]);
    const ofOthers = posts.filter(({ accountId }) => accountId !== doomed.id);
    const early = await statesOf(organizationId, ofOthers);
    // A minute is the worker's lease; what the dead one had claimed itself is free a minute later.
    setClock(() => Date.now() + minuteMs);
    await contentPublish();
    await drainWork('content-publishing');
    setClock(() => Date.now() + 3 * minuteMs);
    await contentPublish();
    await drainWork('content-publishing');

    const texts = (await Promise.all(accounts.map(published))).flat().map(({ text }) => text);
    expect(early).toEqual({ PUBLISHED: ofOthers.length });
    expect(texts.toSorted()).toEqual(posts.map(({ content }) => content).toSorted());
    expect(await statesOf(organizationId, posts)).toEqual({ PUBLISHED: posts.length });
    expect(await findDueItems('PUBLISH', 10)).toEqual([]);
  });
});

async function statesOf(organizationId: string, posts: readonly ContentPost[]) {
  const stored = await getMany<ContentPost>(
    posts.map(({ id }) => keys.contentPost(organizationId, id)),
  );
  const byState = Map.groupBy(stored, (post) => post?.state);

  return Object.fromEntries([...byState].map(([state, own]) => [state, own.length]));
}
