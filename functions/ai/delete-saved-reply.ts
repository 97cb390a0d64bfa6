import { savedReplies } from '#lib/features/ai/saved-replies.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/saved-replies.ts';

export const handler = endpoint(contracts.deleteSavedReply, async ({ organizationId, params }) => {
  await savedReplies.remove(organizationId, params.saved_reply_id);
});
