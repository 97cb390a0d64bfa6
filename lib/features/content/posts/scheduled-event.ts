import { findSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { organizationEventPlanner } from '#lib/platform/webhooks/organization-events.ts';
import { type ContentPost, presentPost } from './post.ts';

/** Plans the event of a post that is scheduled. Other posts have none. */
export async function planScheduledEvent(post: ContentPost): Promise<readonly Write[]> {
  if (post.state !== 'SCHEDULED') {
    return [];
  }
  const [planEvents, account] = await Promise.all([
    organizationEventPlanner(post.organizationId),
    findSocialAccount(post.organizationId, post.targetAccountId),
  ]);

  const contentPost = presentPost(post, account);

  return planEvents([{ type: 'content.scheduled', data: { contentPostId: post.id, contentPost } }]);
}
