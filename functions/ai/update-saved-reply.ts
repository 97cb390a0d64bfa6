import { savedReplies, savedReplyProblems } from '#lib/features/ai/saved-replies.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/saved-replies.ts';

export const handler = endpoint(
  contracts.updateSavedReply,
  async ({ organizationId, params, body }) => ({
    savedReply: await savedReplies.update(organizationId, params.saved_reply_id, body),
  }),
  { rules: ({ body }) => savedReplyProblems(body) },
);
