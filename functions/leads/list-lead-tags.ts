import { countTags } from '#lib/features/leads/lead-tags.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listLeadTags } from '#schemas/leads.ts';

export const handler = endpoint(listLeadTags, async ({ organizationId }) => {
  const counts = await countTags(organizationId);
  const tags = [...counts].map(([tag, count]) => ({ tag, count }));

  return { tags: tags.sort((one, other) => other.count - one.count), total: tags.length };
});
