import type { NamedTemplate } from '#lib/features/ai/template-uses.ts';
import type { Way } from './trace.ts';

/** A message whose answer is to be decided on. */
export type PlanningWork = {
  readonly organizationId: string;
  readonly conversationId: string;
  readonly messageId: string;
};

/** An answer that is to be written and sent. */
export type ReplyWork = PlanningWork & {
  /** The answer is recorded, and paid for, under this id: once. */
  readonly replyId: string;
  readonly way: Way;
  /** The customer's latest message when this was decided: after another one it is out of date. */
  readonly sawUpTo: string;
  /** Whom it is for; without a campaign, who answers. */
  readonly campaignId?: string;
  readonly agentId?: string;
  readonly template: NamedTemplate;
};
