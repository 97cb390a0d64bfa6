import { randomUUID } from 'node:crypto';
import { createAgent, createInteractiveTemplate, createPromptTemplate } from '#schemas/ai.ts';
import { storeSource } from '#tests/support/knowledge.ts';
import { ask } from './ask.ts';
import { exampleOf } from './fields.ts';
import type { Fixtures } from './fixture.ts';
import type { World } from './world.ts';

/** Returns a name that is unique in the world. */
function newName(): string {
  return `Name${randomUUID().slice(0, 8)}`;
}

export async function newTemplateId(world: World): Promise<string> {
  const body = { ...exampleOf(createPromptTemplate.body), name: newName() };

  return (await ask(world, createPromptTemplate, { body })).body.promptTemplate.id;
}

async function newInteractiveTemplateId(world: World): Promise<string> {
  const body = { ...exampleOf(createInteractiveTemplate.body), name: newName() };

  return (await ask(world, createInteractiveTemplate, { body })).body.interactiveTemplate.id;
}

async function newAgentId(world: World): Promise<string> {
  const body = {
    ...exampleOf(createAgent.body),
    name: newName(),
    promptTemplateId: await newTemplateId(world),
    knowledgeSourceIds: null,
  };

  return (await ask(world, createAgent, { body })).body.aiAgent.id;
}

const named = async () => ({ name: newName() });
const namedWithTemplate = async (world: World) => ({
  name: newName(),
  // Variables accept any name, so tests of unknown fields must not use them.
  variables: null,
  promptTemplateId: await newTemplateId(world),
  knowledgeSourceIds: [(await storeSource(world.organizationId)).id],
});
const ofAgent = async (world: World) => ({ agent_id: await newAgentId(world) });
const ofTemplate = async (world: World) => ({ template_id: await newTemplateId(world) });
const ofInteractiveTemplate = async (world: World) => ({
  template_id: await newInteractiveTemplateId(world),
});

async function ofTest(world: World) {
  const testId = newName();
  const abTestVariant = { testId, variant: 'A', weight: 50 };
  const body = { ...exampleOf(createInteractiveTemplate.body), name: newName(), abTestVariant };
  await ask(world, createInteractiveTemplate, { body });

  return { test_id: testId };
}

export const aiFixtures: Fixtures = {
  createAgent: { body: namedWithTemplate },
  getAgent: { params: ofAgent },
  updateAgent: { params: ofAgent, body: namedWithTemplate },
  deleteAgent: { params: ofAgent },
  createPromptTemplate: { body: named },
  getPromptTemplate: { params: ofTemplate },
  updatePromptTemplate: { params: ofTemplate, body: named },
  deletePromptTemplate: { params: ofTemplate },
  testPromptTemplate: {
    params: ofTemplate,
    body: async () => ({ variables: { discount: '10 %' } }),
  },
  debugConversation: { body: async (world) => ({ agentId: await newAgentId(world) }) },
  createInteractiveTemplate: { body: named },
  getInteractiveTemplate: { params: ofInteractiveTemplate },
  getInteractiveTest: { params: ofTest },
  updateInteractiveTemplate: { params: ofInteractiveTemplate, body: named },
  deleteInteractiveTemplate: { params: ofInteractiveTemplate },
};
