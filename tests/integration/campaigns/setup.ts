import { randomUUID } from 'node:crypto';
import { createPromptTemplate } from '#schemas/ai.ts';
import * as campaigns from '#schemas/campaigns.ts';
import { createCampaign } from '#schemas/campaigns.ts';
import { listPipelines } from '#schemas/leads.ts';
import {
  createModerationRule,
  deleteModerationRule,
  listModerationRules,
  updateModerationRule,
} from '#schemas/moderation-rules.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, askAs, call } from '#tests/support/api.ts';

/** Returns a keyword that no other campaign has. */
export function newWord(): string {
  return `word ${randomUUID()}`;
}

export function keyword(text: string, overrides: object = {}) {
  return { keyword: text, matchType: 'CONTAINS', priority: 1, ...overrides };
}

/** Creates an organization with everything that a campaign refers to. */
export async function newOffice() {
  const owner: Account = await newAccount();
  const ask = askAs(owner);
  const { organizationId } = owner;
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

export const unknownId = '0192f0c6-5e6f-7798-a9ba-7f8091a2b3c4';

/** Creates an organization with a prompt template for campaigns. */
export async function campaignSetup() {
  const office = await newOffice();
  const templateId = await office.newTemplate();

  function updateCampaign(campaignId: string, body: object) {
    return office.ask(campaigns.updateCampaign, { params: { campaign_id: campaignId }, body });
  }

  function getCampaign(campaignId: string) {
    return office.ask(campaigns.getCampaign, { params: { campaign_id: campaignId } });
  }

  function listCampaigns(query: Record<string, string>) {
    return office.ask(campaigns.listCampaigns, { query });
  }

  return { office, templateId, updateCampaign, getCampaign, listCampaigns };
}

/** Creates an organization whose campaigns claim keywords. */
export async function keywordSetup() {
  const office = await newOffice();

  function updateCampaign(campaignId: string, body: object, own = office) {
    return own.ask(campaigns.updateCampaign, { params: { campaign_id: campaignId }, body });
  }

  return { office, updateCampaign };
}

type Body = Readonly<Record<string, unknown>>;

/** Calls the operations on an organization's moderation rules. */
export async function moderationSetup(existing?: Account) {
  const owner = existing ?? (await newAccount());
  const { token } = owner;
  const inPath = { organization_id: owner.organizationId };
  const paramsOf = (id: string) => ({ ...inPath, rule_id: id });

  return {
    owner,
    inPath,
    paramsOf,
    create: (body: Body = {}): Promise<Answer> =>
      call(createModerationRule, {
        params: inPath,
        token,
        body: { name: 'Spam', words: ['free followers'], ...body },
      }),
    list: async (): Promise<Answer['body']> =>
      (await call(listModerationRules, { params: inPath, token })).body,
    update: (id: string, body: Body): Promise<Answer> =>
      call(updateModerationRule, { params: paramsOf(id), token, body }),
    remove: (id: string): Promise<Answer> =>
      call(deleteModerationRule, { params: paramsOf(id), token }),
  };
}
