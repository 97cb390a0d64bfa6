import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { canReply } from '#lib/features/social/conversations/can-reply.ts';
import type { Conversation } from '#lib/features/social/conversations/conversation.ts';
import { now } from '#lib/platform/clock.ts';
import type { StopReason } from '#schemas/conversations.ts';
import { isWithinHours } from './business-hours.ts';
import type { Answerer } from './choose-answerer.ts';

/** What decides, together with the answerer, whether the agent may reply now. */
export type Circumstances = {
  readonly conversation: Conversation;
  readonly account: SocialAccount;
  readonly isPaused: boolean;
  readonly creditsAvailable: number;
};

/** Returns why the agent does not reply. The order of the reasons is fixed. */
export function stopReasonOf(
  answerer: Answerer,
  { conversation, account, isPaused, creditsAvailable }: Circumstances,
): StopReason | undefined {
  const { autoResponse, isActive, hours, maxResponses } = answerer;
  const permission = canReply(conversation, account, 'BOT');
  const reasons: ReadonlyArray<readonly [boolean, StopReason]> = [
    [!autoResponse, 'AUTO_RESPONSE_OFF'],
    [!isActive, 'AGENT_INACTIVE'],
    [conversation.controller === 'HUMAN', 'HUMAN_TAKEOVER'],
    [hours !== undefined && !isWithinHours(hours, now()), 'OUTSIDE_BUSINESS_HOURS'],
    [conversation.responseCount >= maxResponses, 'MAX_RESPONSES'],
    [!permission.allowed && permission.reason === 'WINDOW_CLOSED', 'WINDOW_CLOSED'],
    [!permission.allowed, 'NOT_SUPPORTED'],
    [isPaused, 'SUBSCRIPTION_PAUSED'],
    [creditsAvailable < 1, 'NO_CREDITS'],
  ];

  return reasons.find(([holds]) => holds)?.[1];
}
