import { planGap } from '#lib/features/knowledge/gaps.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import type { Contract } from '#schemas/contract.ts';
import * as knowledge from '#schemas/knowledge.ts';
import type { Call } from './gateway-event.ts';
import { callOf, type Scene } from './scene.ts';
import type { Account, World } from './world.ts';

type Office = { readonly world: World; readonly owner: Account };

function knowledgeCall(
  contract: Contract,
  prepare: (office: Office) => Call | Promise<Call> = () => ({}),
): Scene {
  return callOf(contract, async (world) => {
    const owner = await world.newAccount();
    const call = await prepare({ world, owner });
    const params = { organization_id: owner.organizationId, ...call.params };

    return { token: owner.token, ...call, params };
  });
}

const text = { type: 'TEXT', name: 'Opening hours', text: 'We open at nine.' };
const document = Buffer.from('We open at nine.');

async function create({ world, owner }: Office, body: object) {
  const params = { organization_id: owner.organizationId };

  return world.call(knowledge.createKnowledgeSource, { token: owner.token, params, body });
}

async function created(office: Office, body: object = text): Promise<Call> {
  return { params: { source_id: (await create(office, body)).source.id } };
}

async function uploaded(office: Office): Promise<Call> {
  const contentType = 'text/plain';
  const { source, upload } = await create(office, {
    type: 'FILE',
    name: 'Opening hours',
    fileName: 'hours.txt',
    contentType,
    bytes: document.length,
  });
  await fetch(upload.url, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body: document,
  });

  return { params: { source_id: source.id }, body: {} };
}

/** Notes a question that the knowledge did not answer. */
async function noted({ owner: { organizationId } }: Office): Promise<Call> {
  const [gap, ...others] = await planGap(organizationId, {
    question: 'Do you ship to Norway?',
    vector: Float32Array.from([1]),
    conversationId: newId(),
    agentId: undefined,
  });
  if (!gap) {
    throw new Error('The question did not become a gap');
  }
  await write(gap, ...others);

  return { params: { gap_id: gap.key.sk.slice('GAP#'.length) } };
}

export const knowledgeScenes: Readonly<Record<string, Scene>> = {
  'create-knowledge-source': knowledgeCall(knowledge.createKnowledgeSource, () => ({ body: text })),
  'list-knowledge-sources': knowledgeCall(knowledge.listKnowledgeSources, async (office) => {
    await created(office);

    return {};
  }),
  'get-knowledge-source': knowledgeCall(knowledge.getKnowledgeSource, created),
  'update-knowledge-source': knowledgeCall(knowledge.updateKnowledgeSource, async (office) => ({
    ...(await created(office)),
    body: { text: 'We open at ten.' },
  })),
  'delete-knowledge-source': knowledgeCall(knowledge.deleteKnowledgeSource, created),
  'complete-knowledge-source': knowledgeCall(knowledge.completeKnowledgeSource, uploaded),
  'sync-knowledge-source': knowledgeCall(knowledge.syncKnowledgeSource, async (office) => ({
    ...(await created(office, { type: 'URL', name: 'Hours', url: 'https://example.com/hours' })),
    body: {},
  })),
  'search-knowledge': knowledgeCall(knowledge.searchKnowledge, () => ({
    body: { query: 'When do you open?' },
  })),
  'list-knowledge-gaps': knowledgeCall(knowledge.listKnowledgeGaps),
  'answer-knowledge-gap': knowledgeCall(knowledge.answerKnowledgeGap, async (office) => ({
    ...(await noted(office)),
    body: { answer: 'Yes, within five days.' },
  })),
  'delete-knowledge-gap': knowledgeCall(knowledge.deleteKnowledgeGap, noted),
  'knowledge-reading': async (world) => {
    const owner = await world.newAccount();
    await world.queues.drain();
    await create({ world, owner }, text);

    return world.queues.takeEvent('knowledge-reading');
  },
};
