import { snapshotPosts } from '#lib/features/content/analytics/snapshot-posts.ts';
import { sandbox } from '#tests/support/mails.ts';

export const snapshot = () => snapshotPosts(() => 300_000);

export async function setMetrics(post: { readonly platformPostId: string }, metrics: object) {
  await sandbox
    .network('FACEBOOK')
    .setMetrics(post.platformPostId, metrics as Record<string, number>);
}
