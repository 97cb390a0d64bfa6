import type { ContentPost } from '#lib/features/content/posts/post.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { organizationEventPlanner } from '#lib/platform/webhooks/organization-events.ts';
import { showPost } from './show-posts.ts';

/** Plans the event of a post that is scheduled. Other posts have none. */
export async function planScheduledEvent(post: ContentPost): Promise<readonly Write[]> {
  if (post.state !== 'SCHEDULED') {
    return [];
  }
  const [planEvents, contentPost] = await Promise.all([
    organizationEventPlanner(post.organizationId),
    showPost(post),
  ]);

  return planEvents([{ type: 'content.scheduled', data: { contentPostId: post.id, contentPost } }]);
}
