import { randomUUID } from 'node:crypto';
import { createModerationRule } from '#lib/features/campaigns/moderation-rules.ts';
import { nothingElse } from '#lib/platform/db/write.ts';
import { createCampaign } from '#schemas/campaigns.ts';
import { listPipelines } from '#schemas/leads.ts';
import { storeSocialAccount } from '#tests/support/social-accounts.ts';
import { storeFailedDelivery } from '#tests/support/webhooks.ts';
import { newTemplateId } from './ai-fixtures.ts';
import { ask } from './ask.ts';
import { newPostId } from './content-fixtures.ts';
import { exampleOf } from './fields.ts';
import type { Fixtures } from './fixture.ts';
import type { World } from './world.ts';

/** Returns a keyword that no other campaign of the world has. */
function newKeyword() {
  return { keyword: `word ${randomUUID()}`, matchType: 'CONTAINS', priority: 1 };
}

async function pipelineId(world: World): Promise<string> {
  return (await ask(world, listPipelines)).body.pipelines[0].id;
}

/** Creates the resources a campaign names, with an unused keyword. */
async function ownParts(world: World) {
  const { organizationId, names } = world;
  const account = await storeSocialAccount(organizationId, { platformUserName: names[0] ?? '' });

  return {
    name: names[0],
    pipelineId: await pipelineId(world),
    socialAccountIds: [account.id],
    postIds: [await newPostId(world)],
    keywords: [newKeyword()],
    // Variables accept any name, so tests of unknown fields must not use them.
    agentConfigs: [
      { channel: 'COMMENT', promptTemplateId: await newTemplateId(world), variables: null },
    ],
    // Only an ADMIN may set it.
    webhookUrl: undefined,
  };
}

async function newCampaignId(world: World): Promise<string> {
  const body = { ...exampleOf(createCampaign.body), ...(await ownParts(world)) };

  return (await ask(world, createCampaign, { body })).body.campaign.id;
}

const aCampaign: Fixtures[string] = {
  params: async (world) => ({ campaign_id: await newCampaignId(world) }),
};

const aModerationRule: Fixtures[string] = {
  params: async ({ organizationId, names }) => {
    const details = { socialAccountIds: [], words: ['scam'], links: true, isActive: true };
    const { id } = await createModerationRule(
      organizationId,
      { name: names[0] ?? '', ...details },
      nothingElse,
    );

    return { rule_id: id };
  },
};

async function aRulesBody({ organizationId, names }: World) {
  const account = await storeSocialAccount(organizationId);

  return { name: names[0], socialAccountIds: [account.id] };
}

export const campaignFixtures: Fixtures = {
  createModerationRule: { body: aRulesBody },
  updateModerationRule: { ...aModerationRule, body: aRulesBody },
  deleteModerationRule: aModerationRule,
  createCampaign: { body: ownParts },
  getCampaign: aCampaign,
  updateCampaign: { ...aCampaign, body: ownParts },
  deleteCampaign: aCampaign,
  listCampaignDeliveries: {
    params: async (world) => {
      const campaign_id = await newCampaignId(world);
      await storeFailedDelivery(world.organizationId, campaign_id, world.names[0]);

      return { campaign_id };
    },
  },
  replayCampaignDelivery: {
    params: async (world) => {
      const campaign_id = await newCampaignId(world);

      return {
        campaign_id,
        delivery_id: await storeFailedDelivery(world.organizationId, campaign_id, world.names[0]),
      };
    },
  },
};
