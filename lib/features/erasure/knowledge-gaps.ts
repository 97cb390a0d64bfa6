import { forgetConversationInGaps, type Gap } from '#lib/features/knowledge/gaps.ts';
import { knowledgeRanges } from '#lib/platform/db/keys/knowledge.ts';
import { query } from '#lib/platform/db/read.ts';
import type { PersonScope } from './person-scope.ts';

/** Removes the person's questions that the knowledge did not answer. */
export async function eraseKnowledgeGaps({ organizationId, records }: PersonScope): Promise<void> {
  for (const { kind, id } of records) {
    if (kind === 'CONVERSATION') {
      await forgetConversationInGaps(organizationId, id);
    }
  }
}

export async function* collectKnowledgeGaps({ organizationId, records }: PersonScope) {
  const ids = new Set(records.map(({ id }) => id));
  const gaps = await query<Gap>(knowledgeRanges.knowledgeGaps(organizationId));
  for (const { id, question, firstConversationId, lastAskedAt } of gaps) {
    if (ids.has(firstConversationId)) {
      yield { id, question, conversationId: firstConversationId, lastAskedAt };
    }
  }
}
