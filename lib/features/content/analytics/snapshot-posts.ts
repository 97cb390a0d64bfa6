import { type ContentPost, keyOf } from '#lib/features/content/posts/post.ts';
import { dateKey } from '#lib/features/content/posts/post-writes.ts';
import { addGain, noTiming } from '#lib/features/content/posts/timing.ts';
import { accountOfDue, dueAtOf } from '#lib/features/content/publishing/ownership.ts';
import { findOrganization } from '#lib/features/organizations/organizations.ts';
import {
  AccountMissingError,
  readConnectedAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { dayMs, epochSeconds, hourMs, now, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { absent, allOf, equals } from '#lib/platform/db/conditions.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import { type DueItem, findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { type Attributes, change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { dayIn, utc } from '#lib/platform/time-zone.ts';
import type { PostMetrics } from '#lib/vendors/networks/network.ts';
import { metricsOf } from '#lib/vendors/networks/ports/metrics.ts';
import { engagementOf, noPostMetrics } from '#lib/vendors/networks/post-metrics.ts';

const maxPosts = 4_000;
const accountsAtOnce = 8;
const postsInCall = 50;
const writesAtOnce = 8;
/** Retention of daily metrics. */
const retentionDays = 400;

/** Snapshots are taken on every run at first, later daily, then weekly, for one year. */
function nextSnapshotAt({ publishedAt = timestamp() }: ContentPost): string | undefined {
  const ageMs = now() - Date.parse(publishedAt);
  if (ageMs > 365 * dayMs) {
    return undefined;
  }
  if (ageMs > 90 * dayMs) {
    return timestamp(7 * dayMs);
  }

  return ageMs > 2 * dayMs ? timestamp(dayMs) : timestamp();
}

function dueSnapshot(at: string | undefined, accountId: string): Attributes {
  return at === undefined
    ? { duePk: null, dueAt: null }
    : dueIn('POST_METRICS', dueAtOf(at, accountId));
}

/**
 * Takes the due snapshots of published posts, one account after the other. If a run crashes, the
 * remaining posts stay due. Concurrent runs count nothing twice.
 *
 * @returns the number of snapshots.
 */
export async function snapshotPosts(remainingMs: () => number): Promise<number> {
  const due = await findDueItems('POST_METRICS', maxPosts);
  const ofAccounts = [...Map.groupBy(due, ({ dueAt }) => accountOfDue(dueAt)).values()];
  const taken = await atMostAtOnce(accountsAtOnce, ofAccounts, async (items) => {
    let count = 0;
    for (let index = 0; index < items.length && remainingMs() > 15_000; index += postsInCall) {
      count += await snapshotBatch(items.slice(index, index + postsInCall));
    }

    return count;
  });

  return taken.reduce((sum, count) => sum + count, 0);
}

async function snapshotBatch(items: readonly DueItem[]): Promise<number> {
  const posts = (await getMany<ContentPost>(items)).filter(
    (post) => post?.state === 'PUBLISHED' && post.platformPostId !== undefined,
  ) as readonly ContentPost[];
  const [first] = posts;
  if (!first) {
    return 0;
  }
  try {
    const [account, organization] = await Promise.all([
      readConnectedAccount(first.organizationId, first.targetAccountId),
      findOrganization(first.organizationId),
    ]);
    if (organization?.suspendedAt) {
      await atMostAtOnce(writesAtOnce, posts, (post) => postpone(post, timestamp(dayMs)));

      return 0;
    }
    const { timezone = utc } = organization ?? {};
    const ids = posts.map(({ platformPostId = '' }) => platformPostId);
    const figures = await withFreshToken(account, (credentials) =>
      metricsOf(account.platform).fetchPostMetrics(credentials, ids),
    );
    const taken = await atMostAtOnce(writesAtOnce, [...posts.entries()], ([index, post]) =>
      takeSnapshot(post, figures[index], timezone),
    );

    return taken.filter(Boolean).length;
  } catch (failure) {
    logger.warn('The metrics of an account could not be read', {
      organizationId: first.organizationId,
      accountId: first.targetAccountId,
      failure: describeFailure(failure),
    });
    const next = failure instanceof AccountMissingError ? undefined : timestamp(hourMs);
    await atMostAtOnce(writesAtOnce, posts, (post) => postpone(post, next));

    return 0;
  }
}

/** True if no other snapshot was stored since the read, so that concurrent runs write only one. */
function asRead({ snapshotAt }: ContentPost) {
  return allOf(
    equals('state', 'PUBLISHED'),
    snapshotAt === undefined ? absent('snapshotAt') : equals('snapshotAt', snapshotAt),
  );
}

async function postpone(post: ContentPost, next: string | undefined): Promise<void> {
  await writeIfMet(
    change(keyOf(post), { set: dueSnapshot(next, post.targetAccountId), when: asRead(post) }),
  );
}

/** Takes a snapshot. Keeps the previous metrics if the network no longer has the post. */
async function takeSnapshot(
  post: ContentPost,
  latest: PostMetrics | undefined,
  timezone: string,
): Promise<boolean> {
  const { organizationId, id, figures = noPostMetrics, timing = noTiming } = post;
  const snapshotAt = timestamp();
  const after = latest ?? figures;
  const publishedAtMs = Date.parse(post.publishedAt ?? snapshotAt);
  const gained = addGain(timing, {
    engagement: engagementOf(after) - engagementOf(figures),
    publishedAtMs,
    fromMs: post.snapshotAt ? Date.parse(post.snapshotAt) : publishedAtMs,
    toMs: now(),
    timezone,
  });
  const expiresAtSeconds = epochSeconds((retentionDays * dayMs) / 1000);

  return writeIfMet(
    change(keyOf(post), {
      set: {
        figures: after,
        timing: gained,
        snapshotAt,
        ...dueSnapshot(nextSnapshotAt(post), post.targetAccountId),
      },
      when: asRead(post),
    }),
    change(dateKey(post), { set: { figures: after } }),
    change(contentKeys.postMetrics(organizationId, id, dayIn(now(), timezone)), {
      set: { figures: after, expiresAtSeconds },
      orCreate: true,
    }),
  );
}
