import { requireSavedReply, updateSavedReply } from '#lib/features/ai/saved-replies.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/saved-replies.ts';

export const handler = endpoint(
  contracts.updateSavedReply,
  async ({ organizationId, params, body }) => ({
    savedReply: await updateSavedReply(organizationId, params.saved_reply_id, body),
  }),
  {
    ahead: ({ organizationId, params }) => requireSavedReply(organizationId, params.saved_reply_id),
  },
);
