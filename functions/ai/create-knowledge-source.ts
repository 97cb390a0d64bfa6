import {
  createSource,
  presentSourceUpload,
  sourceProblems,
} from '#lib/features/knowledge/create-source.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createKnowledgeSource } from '#schemas/knowledge.ts';

export const handler = endpoint(
  createKnowledgeSource,
  async ({ organizationId, body, idempotently }) => {
    const source = await idempotently((extraWrites) =>
      createSource(organizationId, body, extraWrites),
    );

    return { source, upload: await presentSourceUpload(source) };
  },
  { rules: ({ body }) => sourceProblems(body) },
);
