import { storeDocument, storeGap, storeSource } from '#tests/support/knowledge.ts';
import { putFile } from '#tests/support/sandbox-files.ts';
import type { Fixtures } from './fixture.ts';
import type { World } from './world.ts';

const aSource: Fixtures[string] = {
  params: async ({ organizationId, names }) => ({
    source_id: (await storeSource(organizationId, { name: names[0] ?? '', text: 'a' })).id,
  }),
};
const aGap = async ({ organizationId, names }: World) => ({
  gap_id: await storeGap(organizationId, names[0] ?? ''),
});
const hoursPage = () => putFile('hours', Buffer.from('We open at nine.'), 'text/plain');
/** The fields of other types. */
const otherFields = {
  faq: undefined,
  url: undefined,
  fileName: undefined,
  contentType: undefined,
  bytes: undefined,
};

export const knowledgeFixtures: Fixtures = {
  createKnowledgeSource: { body: async () => otherFields },
  getKnowledgeSource: aSource,
  updateKnowledgeSource: {
    ...aSource,
    body: async () => ({ faq: undefined, url: undefined }),
  },
  deleteKnowledgeSource: aSource,
  completeKnowledgeSource: {
    params: async ({ organizationId }) => ({ source_id: (await storeDocument(organizationId)).id }),
  },
  syncKnowledgeSource: {
    // A page that cannot be read would be read again during the test.
    params: async ({ organizationId }) => ({
      source_id: (await storeSource(organizationId, { type: 'URL', url: await hoursPage() })).id,
    }),
  },
  answerKnowledgeGap: { params: aGap, body: async () => ({ sourceId: null }) },
  deleteKnowledgeGap: { params: aGap },
};
