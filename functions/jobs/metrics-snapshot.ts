import type { Context } from 'aws-lambda';
import { snapshotPosts } from '#lib/features/content/analytics/snapshot-posts.ts';
import { scheduleSnapshots } from '#lib/features/social/metrics/snapshot-schedule.ts';
import { job } from '#lib/platform/work/job.ts';

/**
 * Runs every hour. Workers fetch the account metrics, and this function fetches the post metrics.
 */
export const handler = job(
  'metricsSnapshot',
  async (
    _event: unknown,
    context: Context,
  ): Promise<{ readonly planned: number; readonly posts: number }> => {
    const remainingMs = () => context.getRemainingTimeInMillis();
    const [planned, posts] = await Promise.all([
      scheduleSnapshots(remainingMs),
      snapshotPosts(remainingMs),
    ]);

    return { planned, posts };
  },
);
