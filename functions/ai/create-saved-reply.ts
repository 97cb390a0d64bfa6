import { savedReplies, savedReplyProblems } from '#lib/features/ai/saved-replies.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/saved-replies.ts';

export const handler = endpoint(
  contracts.createSavedReply,
  async ({ organizationId, body, idempotently }) => ({
    savedReply: await idempotently((extraWrites) =>
      savedReplies.create(organizationId, body, extraWrites),
    ),
  }),
  { rules: ({ body }) => savedReplyProblems(body) },
);
