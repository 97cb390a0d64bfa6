import type { WorkPayload } from '#schemas/work-payloads.ts';

/** A message that needs a decision on its answer. */
export type PlanningWork = WorkPayload<'replyPlanning'>;

/** An answer to write and send. */
export type ReplyWork = WorkPayload<'reply'>;
