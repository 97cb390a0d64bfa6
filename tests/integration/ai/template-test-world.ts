import * as ai from '#schemas/ai.ts';
import type { Contract } from '#schemas/contract.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { type Answer, type Call, call } from '#tests/support/api.ts';

export const testMessage = 'What does an engine cost?';

export type TemplateTestWorld = Awaited<ReturnType<typeof templateTestWorld>>;

/** Creates an organization whose templates and agents can be tried out. */
export async function templateTestWorld() {
  const owner = await newAccount();

  function ask(contract: Contract, options: Call = {}): Promise<Answer> {
    const params = { organization_id: owner.organizationId, ...options.params };

    return call(contract, { token: owner.token, ...options, params });
  }

  async function newTemplateId(body: object = {}): Promise<string> {
    const answer = await ask(ai.createPromptTemplate, {
      body: {
        name: crypto.randomUUID(),
        templateContent: 'Be kind to {{customerName}}.',
        businessInfo: { companyName: 'Analytical Engines' },
        ...body,
      },
    });

    return answer.body.promptTemplate.id;
  }

  async function newAgentId(body: object = {}): Promise<string> {
    const promptTemplateId = await newTemplateId({
      templateContent: 'Be {{tone}} to {{customerName}}: {{discount}} off.',
      inputVariables: ['discount'],
      personalitySettings: { tone: 'friendly' },
    });
    const answer = await ask(ai.createAgent, {
      body: { name: crypto.randomUUID(), promptTemplateId, channels: ['COMMENT'], ...body },
    });

    return answer.body.aiAgent.id;
  }

  return { owner, ask, newTemplateId, newAgentId };
}
