import { listSavedReplies } from '#lib/features/ai/saved-replies.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/saved-replies.ts';

export const handler = endpoint(contracts.listSavedReplies, async ({ organizationId }) => {
  const found = await listSavedReplies(organizationId);

  return { savedReplies: found, total: found.length };
});
