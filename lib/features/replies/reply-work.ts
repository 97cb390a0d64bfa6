import type { WorkPayload } from '#schemas/work-payloads.ts';

/** A message whose answer is to be planned. */
export type PlanningWork = WorkPayload<'replyPlanning'>;

/** An answer to write and send. */
export type ReplyWork = WorkPayload<'reply'>;
