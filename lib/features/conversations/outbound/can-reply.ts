import type { Conversation } from '#lib/features/conversations/conversation.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { interactionState } from '#lib/features/social/accounts/messaging-state.ts';
import { now } from '#lib/platform/clock.ts';
import { type Capability, capabilities } from '#lib/vendors/networks/capabilities.ts';
import type { Controller } from '#schemas/conversations.ts';
import type { Channel } from '#schemas/platforms.ts';

export type ReplyPermission =
  /** `until` is null if the network sets no deadline. */
  | { readonly allowed: true; readonly until: string | null }
  | {
      readonly allowed: false;
      readonly reason: 'NOT_SUPPORTED' | 'ACCOUNT_INACTIVE' | 'WINDOW_CLOSED' | 'HUMAN_TAKEOVER';
    };

const replyCapabilities: Readonly<Record<Channel, Capability>> = {
  DIRECT_MESSAGE: 'directMessage',
  COMMENT: 'commentReply',
  POST: 'postReply',
};

/** Returns the capability that replies on a channel require. */
export function replyCapability(channel: Channel): Capability {
  return replyCapabilities[channel];
}

/**
 * Decides whether a reply is allowed now, and until when. Checks the network's rules and the
 * conversation's state. All replies go through this check.
 */
export function canReply(
  conversation: Pick<Conversation, 'platform' | 'channel' | 'controller' | 'windowExpiresAt'>,
  account: Pick<SocialAccount, 'isActive' | 'messaging'>,
  by: Controller,
): ReplyPermission {
  const { platform, channel, controller, windowExpiresAt } = conversation;
  const state = interactionState({ ...account, platform });
  if (!capabilities[platform].supports[replyCapability(channel)] || state === 'MISSING') {
    return { allowed: false, reason: 'NOT_SUPPORTED' };
  }
  if (state === 'EXPIRED') {
    return { allowed: false, reason: 'ACCOUNT_INACTIVE' };
  }
  if (by === 'BOT' && controller === 'HUMAN') {
    return { allowed: false, reason: 'HUMAN_TAKEOVER' };
  }
  if (windowExpiresAt !== undefined && Date.parse(windowExpiresAt) <= now()) {
    return { allowed: false, reason: 'WINDOW_CLOSED' };
  }

  return { allowed: true, until: windowExpiresAt ?? null };
}
