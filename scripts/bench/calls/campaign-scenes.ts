import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { listDeliveries } from '#lib/platform/webhooks/delivery.ts';
import { createPromptTemplate } from '#schemas/ai.ts';
import * as campaigns from '#schemas/campaigns.ts';
import type { Contract } from '#schemas/contract.ts';
import { listPipelines } from '#schemas/leads.ts';
import * as rules from '#schemas/moderation-rules.ts';
import type { Call } from './gateway-event.ts';
import { callOf, type Scene } from './scene.ts';
import { addSocialAccount } from './social-scenes.ts';
import type { Account, World } from './world.ts';

type Office = { readonly world: World; readonly owner: Account };

/** A URL of the sandbox that accepts events. */
function receiver(): string {
  return `${process.env.STRIPE_API_BASE ?? ''}/_sandbox/hooks/bench`;
}

/** A call by the OWNER in a new organization. */
function officeCall(contract: Contract, prepare: (office: Office) => Call | Promise<Call>): Scene {
  return callOf(contract, async (world) => {
    const owner = await world.newAccount();
    const call = await prepare({ world, owner });
    const params = { organization_id: owner.organizationId, ...call.params };

    return { token: owner.token, ...call, params };
  });
}

function ask({ world, owner }: Office, contract: Contract, call: Call = {}) {
  const params = { organization_id: owner.organizationId, ...call.params };

  return world.call(contract, { ...call, token: owner.token, params });
}

function keyword(text: string, priority = 1) {
  return { keyword: text, matchType: 'CONTAINS', priority };
}

/** A campaign with five keywords on one account that replies to comments. */
async function newCampaign(office: Office) {
  const account = await addSocialAccount(office.world, office.owner.organizationId);
  const { pipelines } = await ask(office, listPipelines);
  const template = { name: 'Sales', templateContent: 'You answer for {{companyName}}.' };
  const { promptTemplate } = await ask(office, createPromptTemplate, { body: template });

  return {
    name: 'Spring sale',
    pipelineId: pipelines[0].id,
    platform: 'FACEBOOK',
    socialAccountIds: [account.id],
    keywords: ['price', 'offer', 'sale', 'engine', 'discount'].map((text) => keyword(text)),
    agentConfigs: [{ channel: 'COMMENT', promptTemplateId: promptTemplate.id }],
  };
}

const moderationRule = { name: 'Spam', words: ['free followers'] };

async function addModerationRule(office: Office): Promise<Call> {
  const created = await ask(office, rules.createModerationRule, { body: moderationRule });

  return { params: { rule_id: created.moderationRule.id } };
}

async function addCampaign(office: Office, more: object = {}): Promise<Call> {
  const body = { ...(await newCampaign(office)), ...more };
  const { campaign } = await ask(office, campaigns.createCampaign, { body });

  return { params: { campaign_id: campaign.id } };
}

/** A campaign with a pending webhook delivery. */
async function addDelivery(office: Office): Promise<Call> {
  const { params = {} } = await addCampaign(office, { webhookUrl: receiver() });
  await ask(office, campaigns.updateCampaign, { params, body: { description: 'For the spring' } });

  return { params };
}

export const campaignScenes: Readonly<Record<string, Scene>> = {
  'create-campaign': officeCall(campaigns.createCampaign, async (office) => ({
    body: await newCampaign(office),
  })),
  'list-campaigns': officeCall(campaigns.listCampaigns, async (office) => {
    await addCampaign(office);

    return {};
  }),
  'get-campaign': officeCall(campaigns.getCampaign, addCampaign),
  'update-campaign': officeCall(campaigns.updateCampaign, async (office) => ({
    ...(await addCampaign(office)),
    body: { keywords: [keyword('price', 2), keyword('bargain')] },
  })),
  'delete-campaign': officeCall(campaigns.deleteCampaign, addCampaign),
  'create-moderation-rule': officeCall(rules.createModerationRule, () => ({
    body: moderationRule,
  })),
  'list-moderation-rules': officeCall(rules.listModerationRules, async (office) => {
    await addModerationRule(office);

    return {};
  }),
  'update-moderation-rule': officeCall(rules.updateModerationRule, async (office) => ({
    ...(await addModerationRule(office)),
    body: { links: true },
  })),
  'delete-moderation-rule': officeCall(rules.deleteModerationRule, addModerationRule),
  'validate-keywords': officeCall(campaigns.validateKeywords, async (office) => {
    await addCampaign(office);

    return { body: { keywords: [keyword('price'), keyword('full price', 2)] } };
  }),
  'list-campaign-keywords': officeCall(campaigns.listCampaignKeywords, async (office) => {
    await addCampaign(office);

    return {};
  }),
  'list-campaign-deliveries': officeCall(campaigns.listCampaignDeliveries, addDelivery),
  'replay-campaign-delivery': officeCall(campaigns.replayCampaignDelivery, async (office) => {
    const { organizationId } = office.owner;
    const { params = {} } = await addDelivery(office);
    const campaignId = params.campaign_id ?? '';
    const { items } = await listDeliveries(organizationId, campaignId, { limit: 1 });
    const deliveryId = items[0]?.id ?? '';
    const delivery = keys.webhookDelivery(organizationId, campaignId, deliveryId);
    await write(change(delivery, { set: { status: 'FAILED' } }));

    return { params: { ...params, delivery_id: deliveryId } };
  }),
};
