import type { NamedTemplate } from '#lib/features/ai/template-uses.ts';
import type { Way } from './trace.ts';

/** A message for which a reply has to be planned. */
export type PlanningWork = {
  readonly organizationId: string;
  readonly conversationId: string;
  readonly messageId: string;
};

/** A planned reply. */
export type ReplyWork = PlanningWork & {
  /** The id of the reply's message and of its credit. */
  readonly replyId: string;
  readonly way: Way;
  /** The customer's latest message at planning. A newer message makes this reply obsolete. */
  readonly sawUpTo: string;
  /** The campaign that the reply is for. Without one, `agentId` answers. */
  readonly campaignId?: string;
  readonly agentId?: string;
  readonly template: NamedTemplate;
};
