import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import {
  deleteComment,
  hideComment,
  likeComment,
  unhideComment,
  unlikeComment,
} from '#schemas/conversations.ts';
import type { Platform } from '#schemas/platforms.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { type Answer, type Call, call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import {
  connectedAccount,
  conversationsOf,
  deliver,
  signedEvent,
} from '#tests/support/network-events.ts';
import { drainWork } from '#tests/support/work.ts';

export const commentActions = {
  hide: hideComment,
  unhide: unhideComment,
  like: likeComment,
  unlike: unlikeComment,
  delete: deleteComment,
} as const;
export type CommentActionName = keyof typeof commentActions;

export type Commented = {
  readonly account: SocialAccount;
  readonly conversationId: string;
  readonly messageId: string;
  /** The comment's id at the network. */
  readonly commentId: string;
};

/** Creates an organization whose customers comment, and which acts on the comments. */
export async function commentWorld() {
  const owner = await newAccount();

  async function comment(
    platform: Platform = 'FACEBOOK',
    said: Parameters<typeof signedEvent>[1] = {},
    overrides: Partial<SocialAccount> = {},
  ): Promise<Commented> {
    const account = await connectedAccount(owner.organizationId, { platform, ...overrides });
    const { id: postId } = await sandbox
      .network(platform)
      .makePost({ userId: account.platformUserId, text: 'New engines are here' });
    const delivery = await signedEvent(account, { postId, ...said });
    await deliver(platform, delivery);
    await drainWork('inbound-events');
    const [conversation] = await conversationsOf(owner, account);
    const [written] = await sandbox.network(platform).comments(account.platformUserId);

    return {
      account,
      conversationId: conversation.id,
      messageId: conversation.messages[0].id,
      commentId: written?.id ?? '',
    };
  }

  function callOf(
    { conversationId, messageId }: Pick<Commented, 'conversationId' | 'messageId'>,
    headers: Call['headers'] = {},
  ): Call {
    const params = {
      organization_id: owner.organizationId,
      conversation_id: conversationId,
      message_id: messageId,
    };

    return { params, token: owner.token, headers };
  }

  function act(
    action: CommentActionName,
    commented: Pick<Commented, 'conversationId' | 'messageId'>,
    headers: Call['headers'] = {},
  ): Promise<Answer> {
    return call(commentActions[action], callOf(commented, headers));
  }

  /** Returns the comment as the service and the network have it. */
  async function state({ account, commentId }: Commented) {
    const [conversation] = await conversationsOf(owner, account);
    const comments = await sandbox.network(account.platform).comments(account.platformUserId);

    return {
      message: conversation.messages[0],
      messages: conversation.messages.length,
      atNetwork: comments.find(({ id }) => id === commentId),
    };
  }

  return { owner, comment, callOf, act, state };
}

/** Returns the calls of a network that change something. */
export async function changesAt(platform: Platform): Promise<readonly string[]> {
  const requests = await sandbox.requests({ service: platform.toLowerCase() });

  return requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
}
