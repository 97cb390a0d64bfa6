import { expect, it } from 'vitest';
import { planGap } from '#lib/features/knowledge/gaps.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { deleteKnowledgeGap } from '#schemas/knowledge.ts';
import { knowledgeWorld } from './knowledge-world.ts';

it('returns 404 for a gap of another organization', async () => {
  const [world, other] = [await knowledgeWorld(), await knowledgeWorld()];
  const vector = Float32Array.from([1]);
  const asked = { question: 'a', vector, conversationId: newId(), agentId: undefined };
  await write(...(await planGap(other.organizationId, asked)));
  const [gap] = await other.gaps();
  const params = { gap_id: gap.id };
  const [foreign, own] = [
    await world.ask(deleteKnowledgeGap, { params }),
    await other.ask(deleteKnowledgeGap, { params }),
  ];

  expect([foreign.status, own.status]).toEqual([404, 200]);
});
