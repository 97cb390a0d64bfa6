import * as ai from '#schemas/ai.ts';
import type { Contract } from '#schemas/contract.ts';
import * as savedReplies from '#schemas/saved-replies.ts';
import type { Call } from './gateway-event.ts';
import { callOf, type Scene } from './scene.ts';
import type { Account, World } from './world.ts';

type Office = { readonly world: World; readonly owner: Account };

/** A call by the OWNER in a new organization. */
function officeCall(
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

const templateContent = 'You answer for {{companyName}}. Today there is {{discount}} off.';
const template = { name: 'Sales', templateContent, inputVariables: ['discount'] };
const variant = { variant: 'A', testId: 'greeting', weight: 1 };

async function make({ world, owner }: Office, contract: Contract, body: object) {
  const params = { organization_id: owner.organizationId };

  return world.call(contract, { token: owner.token, params, body });
}

async function templateId(office: Office): Promise<string> {
  return (await make(office, ai.createPromptTemplate, template)).promptTemplate.id;
}

async function interactiveTemplateId(office: Office): Promise<string> {
  const body = { ...template, abTestVariant: variant };

  return (await make(office, ai.createInteractiveTemplate, body)).interactiveTemplate.id;
}

async function newAgent(office: Office) {
  return {
    name: 'Engine expert',
    promptTemplateId: await templateId(office),
    channels: ['COMMENT'],
  };
}

const ofAgent = async (office: Office) => ({
  params: { agent_id: (await make(office, ai.createAgent, await newAgent(office))).aiAgent.id },
});
const ofTemplate = async (office: Office) => ({
  params: { template_id: await templateId(office) },
});
const ofInteractiveTemplate = async (office: Office) => ({
  params: { template_id: await interactiveTemplateId(office) },
});
const savedReply = { name: 'Opening hours', text: 'We open at nine, {{customerName}}.' };
const ofSavedReply = async (office: Office) => ({
  params: {
    saved_reply_id: (await make(office, savedReplies.createSavedReply, savedReply)).savedReply.id,
  },
});
const renamed = { body: { description: 'For the spring' } };

export const aiScenes: Readonly<Record<string, Scene>> = {
  'create-agent': officeCall(ai.createAgent, async (office) => ({ body: await newAgent(office) })),
  'list-agents': officeCall(ai.listAgents, async (office) => {
    await ofAgent(office);

    return {};
  }),
  'get-agent': officeCall(ai.getAgent, ofAgent),
  'update-agent': officeCall(ai.updateAgent, async (office) => ({
    ...(await ofAgent(office)),
    ...renamed,
  })),
  'delete-agent': officeCall(ai.deleteAgent, ofAgent),
  'create-prompt-template': officeCall(ai.createPromptTemplate, () => ({ body: template })),
  'list-prompt-templates': officeCall(ai.listPromptTemplates, async (office) => {
    await templateId(office);

    return {};
  }),
  'get-prompt-template': officeCall(ai.getPromptTemplate, ofTemplate),
  'update-prompt-template': officeCall(ai.updatePromptTemplate, async (office) => ({
    ...(await ofTemplate(office)),
    ...renamed,
  })),
  'delete-prompt-template': officeCall(ai.deletePromptTemplate, ofTemplate),
  'create-saved-reply': officeCall(savedReplies.createSavedReply, () => ({ body: savedReply })),
  'list-saved-replies': officeCall(savedReplies.listSavedReplies, async (office) => {
    await ofSavedReply(office);

    return {};
  }),
  'update-saved-reply': officeCall(savedReplies.updateSavedReply, async (office) => ({
    ...(await ofSavedReply(office)),
    body: { text: 'We open at eight.' },
  })),
  'delete-saved-reply': officeCall(savedReplies.deleteSavedReply, ofSavedReply),
  'test-prompt-template': officeCall(ai.testPromptTemplate, async (office) => ({
    ...(await ofTemplate(office)),
    body: { testMessage: 'What does it cost?', variables: { discount: '10 %' } },
  })),
  'debug-conversation': officeCall(ai.debugConversation, async (office) => ({
    body: {
      agentId: (await ofAgent(office)).params.agent_id,
      userMessage: 'What does it cost?',
    },
  })),
  'create-interactive-template': officeCall(ai.createInteractiveTemplate, () => ({
    body: { ...template, abTestVariant: variant },
  })),
  'list-interactive-templates': officeCall(ai.listInteractiveTemplates, async (office) => {
    await interactiveTemplateId(office);

    return {};
  }),
  'get-interactive-template': officeCall(ai.getInteractiveTemplate, ofInteractiveTemplate),
  'update-interactive-template': officeCall(ai.updateInteractiveTemplate, async (office) => ({
    ...(await ofInteractiveTemplate(office)),
    ...renamed,
  })),
  'get-interactive-test': officeCall(ai.getInteractiveTest, async (office) => {
    await interactiveTemplateId(office);

    return { params: { test_id: variant.testId } };
  }),
  'delete-interactive-template': officeCall(ai.deleteInteractiveTemplate, ofInteractiveTemplate),
};
