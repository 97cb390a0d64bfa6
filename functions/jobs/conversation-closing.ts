import type { Context } from 'aws-lambda';
import { closeSilentConversations } from '#lib/features/social/conversations/close-silent-conversations.ts';

/** Every hour. */
export async function handler(
  _event: unknown,
  context: Context,
): Promise<{ readonly closed: number }> {
  return { closed: await closeSilentConversations(() => context.getRemainingTimeInMillis()) };
}
