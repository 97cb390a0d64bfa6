import { createSavedReply } from '#lib/features/ai/saved-replies.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/saved-replies.ts';

export const handler = endpoint(
  contracts.createSavedReply,
  async ({ organizationId, body, once }) => {
    const savedReply = await once((alongside) => createSavedReply(organizationId, body, alongside));

    return { savedReply };
  },
);
