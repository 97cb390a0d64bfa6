import * as ai from '#schemas/ai.ts';
import type { Contract } from '#schemas/contract.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { type Answer, type Call, call } from '#tests/support/api.ts';

export const templateContent = 'You answer for {{companyName}}.';

export type TemplateWorld = Awaited<ReturnType<typeof templateWorld>>;

/** Creates an organization and templates in it. */
export async function templateWorld() {
  const owner = await newAccount();

  function ask(contract: Contract, options: Call = {}): Promise<Answer> {
    const params = { organization_id: owner.organizationId, ...options.params };

    return call(contract, { token: owner.token, ...options, params });
  }

  async function newTemplate(body: object = {}): Promise<Answer['body']> {
    const answer = await ask(ai.createPromptTemplate, {
      body: { name: crypto.randomUUID(), templateContent, ...body },
    });

    return answer.body.promptTemplate;
  }

  async function newVariant(body: object = {}): Promise<Answer['body']> {
    const answer = await ask(ai.createInteractiveTemplate, {
      body: { name: crypto.randomUUID(), templateContent, ...body },
    });

    return answer.body.interactiveTemplate;
  }

  return { ask, newTemplate, newVariant };
}
