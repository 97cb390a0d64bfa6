import { createSource, presentSourceUpload } from '#lib/features/knowledge/create-source.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createKnowledgeSource } from '#schemas/knowledge.ts';

export const handler = endpoint(createKnowledgeSource, async ({ organizationId, body, once }) => {
  const source = await once((alongside) => createSource(organizationId, body, alongside));

  return { source, upload: await presentSourceUpload(source) };
});
