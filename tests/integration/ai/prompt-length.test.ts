import { describe, expect, it } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import * as ai from '#schemas/ai.ts';
import { createCampaign, updateCampaign } from '#schemas/campaigns.ts';
import type { Contract } from '#schemas/contract.ts';
import { listPipelines } from '#schemas/leads.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { sandbox } from '#tests/support/mails.ts';
import { templateTestSetup, testMessage } from './setup.ts';

const world = await templateTestSetup();

const tooLong = (field: string) => [
  `${field} must not make the filled-in prompt longer than 24,000 characters`,
];
const long = { a: 'x'.repeat(1_000) };
const short = { a: 'x' };
const repeating = { templateContent: '{{a}}'.repeat(25), inputVariables: ['a'] };

async function refusal(contract: Contract, params: object, body: object): Promise<unknown> {
  const answer = await world.ask(contract, { params: { ...params }, body: { ...body } });

  return answer.status === 400 ? answer.body.message : answer.status;
}

describe('a prompt of more than 24,000 characters is rejected', () => {
  it('when a template with its business information is saved', async () => {
    const body = {
      name: crypto.randomUUID(),
      templateContent: '{{products}}'.repeat(25),
      businessInfo: { products: Array.from({ length: 10 }, () => 'x'.repeat(100)) },
    };
    const id = await world.newTemplateId({ ...body, businessInfo: null });
    const params = { template_id: id };
    const { businessInfo } = body;

    expect(await refusal(ai.createPromptTemplate, {}, body)).toEqual(tooLong('templateContent'));
    expect(await refusal(ai.updatePromptTemplate, params, { businessInfo })).toEqual(
      tooLong('templateContent'),
    );
  });

  it('when an interactive template is saved', async () => {
    const body = {
      name: crypto.randomUUID(),
      templateContent: '{{companyName}}'.repeat(300),
      businessInfo: { companyName: 'x'.repeat(100) },
    };

    expect(await refusal(ai.createInteractiveTemplate, {}, body)).toEqual(
      tooLong('templateContent'),
    );
  });

  it('when an agent is saved', async () => {
    const promptTemplateId = await world.newTemplateId(repeating);
    const agentId = await world.newAgentId({ promptTemplateId, variables: short });
    const other = await world.newAgentId({ variables: long });
    const name = crypto.randomUUID();
    const agent = { name, promptTemplateId, channels: ['COMMENT'], variables: long };
    const update = (agent_id: string, body: object) => refusal(ai.updateAgent, { agent_id }, body);

    expect(await refusal(ai.createAgent, {}, agent)).toEqual(tooLong('variables'));
    expect(await update(agentId, { variables: long })).toEqual(tooLong('variables'));
    expect(await update(other, { promptTemplateId })).toEqual(tooLong('variables'));
    expect(await update(agentId, { variables: { a: 'y' } })).toBe(200);
  });

  it('when a campaign is saved', async () => {
    const { organizationId } = world.owner;
    const account = await connectedAccount(organizationId);
    const { pipelines } = (await world.ask(listPipelines)).body;
    const promptTemplateId = await world.newTemplateId(repeating);
    const configs = (variables: object) => [{ channel: 'COMMENT', promptTemplateId, variables }];
    const campaign = {
      name: crypto.randomUUID(),
      pipelineId: pipelines[0].id,
      platform: account.platform,
      socialAccountIds: [account.id],
      agentConfigs: configs(short),
    };
    const made = await world.ask(createCampaign, { body: campaign });
    const params = { campaign_id: made.body.campaign.id };
    const agentConfigs = configs(long);

    expect(await refusal(createCampaign, {}, { ...campaign, agentConfigs })).toEqual(
      tooLong('agentConfigs.0.variables'),
    );
    expect(await refusal(updateCampaign, params, { agentConfigs })).toEqual(
      tooLong('agentConfigs.0.variables'),
    );
  });

  it('when a template is tested or an agent is debugged, without a call to the AI service', async () => {
    const template_id = await world.newTemplateId(repeating);
    const promptTemplateId = await world.newTemplateId({ ...repeating, templateContent: '{{a}}' });
    const agentId = await world.newAgentId({ promptTemplateId, variables: long });
    const key = keys.record(world.owner.organizationId, 'TEMPLATE', promptTemplateId);
    await write(change(key, { set: { templateContent: repeating.templateContent } }));
    const asked = async () => (await sandbox.requests({ service: 'openai' })).length;
    const before = await asked();
    const test = (variables: object) =>
      refusal(ai.testPromptTemplate, { template_id }, { testMessage, variables });

    expect(await test(long)).toEqual(tooLong('variables'));
    expect(await refusal(ai.debugConversation, {}, { agentId, userMessage: 'Hi' })).toEqual(
      tooLong('variables'),
    );
    expect(await asked()).toBe(before);
    expect(await test(short)).toBe(200);
  });
});
