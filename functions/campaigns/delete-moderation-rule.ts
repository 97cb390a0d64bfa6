import { deleteModerationRule } from '#lib/features/campaigns/moderation-rules.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/moderation-rules.ts';

export const handler = endpoint(
  contracts.deleteModerationRule,
  async ({ organizationId, params }) => {
    await deleteModerationRule(organizationId, params.rule_id);
  },
);
