import { unsupported } from '#lib/vendors/networks/capabilities.ts';
import type { MessagesApi } from '#lib/vendors/networks/network.ts';
import { platform } from './call.ts';
import { commentOnPost } from './own-comments.ts';

export const sendDirectMessage = unsupported(platform, 'directMessage');
export const privateReply = unsupported(platform, 'privateReply');

/** Replies to a comment in public. */
export const replyToComment: MessagesApi['replyToComment'] = (credentials, { commentId, text }) =>
  commentOnPost(credentials, { platformPostId: commentId, text });
