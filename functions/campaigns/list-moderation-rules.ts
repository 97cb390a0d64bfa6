import { listModerationRules } from '#lib/features/campaigns/moderation-rules.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/moderation-rules.ts';

export const handler = endpoint(contracts.listModerationRules, async ({ organizationId }) => {
  const rules = await listModerationRules(organizationId);

  return { moderationRules: rules, total: rules.length };
});
