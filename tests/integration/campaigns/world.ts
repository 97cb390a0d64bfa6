import { randomUUID } from 'node:crypto';
import { createPromptTemplate } from '#schemas/ai.ts';
import { createCampaign } from '#schemas/campaigns.ts';
import type { Contract } from '#schemas/contract.ts';
import { listPipelines } from '#schemas/leads.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, type Call, call } from '#tests/support/api.ts';
import { storeSocialAccount } from '#tests/support/social-accounts.ts';

/** Returns a keyword that no other campaign has. */
export function newWord(): string {
  return `word ${randomUUID()}`;
}

export function keyword(text: string, overrides: object = {}) {
  return { keyword: text, matchType: 'CONTAINS', priority: 1, ...overrides };
}

/** Creates an organization with everything a campaign refers to. */
export async function newOffice() {
  const owner: Account = await newAccount();
  const { organizationId } = owner;
  const ask = (contract: Contract, options: Call = {}): Promise<Answer> =>
    call(contract, {
      token: owner.token,
      ...options,
      params: { organization_id: organizationId, ...options.params },
    });
  const newTemplate = async (): Promise<string> => {
    const body = { name: randomUUID(), templateContent: 'You answer for {{companyName}}.' };

    return (await ask(createPromptTemplate, { body })).body.promptTemplate.id;
  };
  const { pipelines } = (await ask(listPipelines)).body;
  const account = await storeSocialAccount(organizationId);
  const parts = {
    name: 'Spring sale',
    pipelineId: pipelines[0].id as string,
    platform: 'FACEBOOK',
    socialAccountIds: [account.id],
  };
  const create = (body: object = {}): Promise<Answer> =>
    ask(createCampaign, { body: { ...parts, ...body } });
  const newCampaign = async (body: object = {}) => {
    const answer = await create(body);
    if (answer.status !== 201) {
      throw new Error(`Creating answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }

    return answer.body.campaign;
  };

  return { owner, organizationId, account, ask, newTemplate, parts, create, newCampaign };
}

export type Office = Awaited<ReturnType<typeof newOffice>>;
