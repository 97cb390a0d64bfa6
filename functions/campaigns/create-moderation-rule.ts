import {
  createModerationRule,
  matchingProblems,
} from '#lib/features/campaigns/moderation-rules.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/moderation-rules.ts';

export const handler = endpoint(
  contracts.createModerationRule,
  async ({ organizationId, body, idempotently }) => ({
    moderationRule: await idempotently((extraWrites) =>
      createModerationRule(organizationId, body, extraWrites),
    ),
  }),
  { rules: ({ body }) => matchingProblems(body) },
);
