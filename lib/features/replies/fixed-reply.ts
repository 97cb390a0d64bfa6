import { findPostIdByPlatformId } from '#lib/features/content/posts/post-writes.ts';
import { planPersonalLinks } from '#lib/features/personal-links/personal-links.ts';
import { cutTemplateText, cutText } from '#lib/vendors/networks/cut-text.ts';
import type { WrittenReply } from './claim-reply.ts';
import type { FixedAnswer, ReplyScene } from './reply-scene.ts';

/**
 * Plans the campaign's fixed private answer, without the AI. It ends with the disclosure, and its
 * buttons link to short links of the customer's own.
 */
export async function planFixedReply(
  scene: ReplyScene,
  { privateReply: { text, buttons }, campaign }: FixedAnswer,
): Promise<WrittenReply> {
  const { source, target, ending } = scene;
  const { platform, channel } = target;
  const postId = buttons.length > 0 ? await findCommentedPost(scene) : undefined;
  const planned = await planPersonalLinks(target, buttons, { campaign, postId, source });

  return {
    text:
      buttons.length > 0 ? cutTemplateText(text, ending) : cutText(platform, channel, text, ending),
    isHandOver: false,
    usage: { promptTokens: 0, completionTokens: 0 },
    fixed: planned,
  };
}

/** Returns our post that the customer commented on, if any. */
async function findCommentedPost({
  source: { organizationId, accountId },
  answered: { platformPostId },
}: ReplyScene): Promise<string | undefined> {
  return platformPostId === undefined
    ? undefined
    : findPostIdByPlatformId(organizationId, accountId, platformPostId);
}
