import { confirmOptOut } from '#lib/features/replies/confirm-opt-out.ts';
import { sendFollowUp } from '#lib/features/replies/send-follow-up.ts';
import { sendReply } from '#lib/features/replies/send-reply.ts';
import { type WorkOutcome, type WorkRequest, worker } from '#lib/platform/work/worker.ts';
import { replyWork } from '#schemas/work-payloads.ts';

function answer({ key, payload }: WorkRequest<'reply'>): Promise<WorkOutcome> {
  if ('confirms' in payload) {
    return confirmOptOut(payload, key);
  }

  return 'followUpId' in payload ? sendFollowUp(key, payload) : sendReply(key, payload);
}

export const handler = worker('reply', replyWork, answer);
