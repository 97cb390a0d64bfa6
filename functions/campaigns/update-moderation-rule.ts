import { updateModerationRule } from '#lib/features/campaigns/moderation-rules.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/moderation-rules.ts';

export const handler = endpoint(
  contracts.updateModerationRule,
  async ({ organizationId, params, body }) => ({
    moderationRule: await updateModerationRule(organizationId, params.rule_id, body),
  }),
);
