import * as ai from '#schemas/ai.ts';
import type { Contract } from '#schemas/contract.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { type Answer, type Call, call } from '#tests/support/api.ts';

export const hours = { start: '22:00', end: '06:00', timezone: 'Asia/Kolkata' };

export type AgentWorld = Awaited<ReturnType<typeof agentWorld>>;

/** Creates an organization with a prompt template for agents. */
export async function agentWorld() {
  const owner = await newAccount();
  const body = { name: 'Sales', templateContent: 'You answer for {{companyName}}.' };
  const promptTemplateId = (await ask(ai.createPromptTemplate, { body })).body.promptTemplate.id;

  function ask(contract: Contract, options: Call = {}): Promise<Answer> {
    const params = { organization_id: owner.organizationId, ...options.params };

    return call(contract, { token: owner.token, ...options, params });
  }

  function createAgent(body: object = {}): Promise<Answer> {
    return ask(ai.createAgent, {
      body: { name: crypto.randomUUID(), promptTemplateId, channels: ['COMMENT'], ...body },
    });
  }

  return { owner, ask, createAgent };
}
