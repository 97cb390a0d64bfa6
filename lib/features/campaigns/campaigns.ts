import { type NamedTemplate, planTemplateUse } from '#lib/features/ai/template-uses.ts';
import { planPipelineUse } from '#lib/features/leads/pipelines/pipeline.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { compact, definedFields } from '#lib/platform/compact.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { campaignKeys } from '#lib/platform/db/keys/campaigns.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { webhookKeys } from '#lib/platform/db/keys/webhooks.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  change,
  create,
  discard,
  type ExtraWrites,
  remove,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { forbidden } from '#lib/platform/errors/failures.ts';
import { isKeyActing, requirePerson } from '#lib/platform/identity/acting-key.ts';
import { newId } from '#lib/platform/ids.ts';
import { publicUrlProblems } from '#lib/platform/outbound/public-url.ts';
import { planQuotaRelease, planQuotaUse } from '#lib/platform/quotas/quotas.ts';
import { findWebhookEndpoint, type WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import type * as contracts from '#schemas/campaigns.ts';
import { type BodyOf, type Role, ranksAtLeast } from '#schemas/contract.ts';
import {
  type Campaign,
  campaignCounter,
  presentCampaign,
  requireCampaign,
  requireTransition,
} from './campaign.ts';
import { agentConfigsOf, keywordsOf, requireParts } from './campaign-parts.ts';
import { planCampaignUpdatedEvent, planReceiver } from './campaign-receiver.ts';
import {
  claimingKeywords,
  distinctKeywordProblems,
  planCampaignsChange,
  planKeywordClaims,
} from './keyword-claims.ts';

export type CampaignDetails = BodyOf<typeof contracts.createCampaign>;

export type CampaignPatch = BodyOf<typeof contracts.updateCampaign>;

/** A campaign that was just saved. The secret is set only if its webhook URL was set. */
export type WrittenCampaign = { readonly campaign: Campaign; readonly secret: string | undefined };

/** The user who writes a campaign. */
export type CampaignAuthor = { readonly userId: string; readonly role: Role };

/** Returns the problems of a campaign's keywords and webhook. */
export function campaignProblems({
  keywords,
  webhookUrl,
}: Pick<Partial<CampaignDetails | CampaignPatch>, 'keywords' | 'webhookUrl'>): readonly string[] {
  return [
    ...distinctKeywordProblems(keywords ?? []),
    ...publicUrlProblems('webhookUrl', webhookUrl),
  ];
}

/** @throws 403 unless the author is a person who may send customers' messages to a webhook. */
function checkWebhookAccess({ role }: CampaignAuthor): void {
  requirePerson();
  if (!ranksAtLeast(role, 'ADMIN')) {
    throw forbidden();
  }
}

function planCampaignAudit(
  actorId: string,
  action: 'campaign.created' | 'campaign.updated' | 'campaign.deleted',
  { organizationId, id, name }: Campaign,
): readonly Write[] {
  return planAudit(organizationId, {
    action,
    actorId,
    targetId: id,
    details: { name },
  });
}

function templatesOf(campaign: Campaign | undefined): ReadonlyMap<string, NamedTemplate> {
  const configs = campaign?.agentConfigs ?? [];

  return new Map(
    configs.map(({ promptTemplateId: id, templateKind: kind }) => [id, { id, kind }] as const),
  );
}

/** Counts each template once per campaign, however many channels use it. */
function planUses(before: Campaign | undefined, after: Campaign | undefined): readonly Write[] {
  const organizationId = (after ?? before)?.organizationId ?? '';
  const [former, wanted] = [templatesOf(before), templatesOf(after)];
  const hasMoved = before?.pipelineId !== after?.pipelineId;

  return [
    ...[...wanted.values()]
      .filter(({ id }) => !former.has(id))
      .map((template) => planTemplateUse(organizationId, template, 1)),
    ...[...former.values()]
      .filter(({ id }) => !wanted.has(id))
      .map((template) => planTemplateUse(organizationId, template, -1)),
    ...(hasMoved && after ? [planPipelineUse(organizationId, after.pipelineId, 1)] : []),
    ...(hasMoved && before ? [planPipelineUse(organizationId, before.pipelineId, -1)] : []),
  ];
}

/**
 * @throws 403 for a `webhookUrl` from a MEMBER or an API key; 404 for an unknown pipeline, account,
 *   post or template; 409 with `conflictingCampaign` if another campaign has claimed a keyword.
 */
export async function createCampaign(
  organizationId: string,
  author: CampaignAuthor,
  details: CampaignDetails,
  extraWrites: ExtraWrites<WrittenCampaign>,
): Promise<WrittenCampaign> {
  if (details.webhookUrl) {
    checkWebhookAccess(author);
  }
  const socialAccountIds = [...new Set(details.socialAccountIds)];
  const postIds = [...new Set(details.postIds)];
  const agentConfigs = details.agentConfigs ?? [];
  const { pipelineId } = details;
  const parts = { pipelineId, socialAccountIds, postIds, agentConfigs };
  const templates = await requireParts(organizationId, parts);
  const [id, now] = [newId(), timestamp()];
  const campaign = {
    ...compact(details),
    id,
    organizationId,
    socialAccountIds,
    postIds,
    keywords: keywordsOf(details.keywords ?? [], [], now),
    agentConfigs: agentConfigsOf(agentConfigs, [], templates, now),
    status: details.status ?? 'ACTIVE',
    version: 1,
    createdAt: now,
    updatedAt: now,
  } as Campaign;
  const receiver = await planReceiver(organizationId, id, details.webhookUrl, undefined);
  const written = { campaign, secret: receiver.secret };
  const kept = await extraWrites(written);
  await retryWhenOvertaken('campaign', () =>
    claimingKeywords(organizationId, () =>
      write(
        ...kept,
        create(campaignKeys.campaign(organizationId, id), campaign),
        ...planUses(undefined, campaign),
        ...planKeywordClaims(undefined, campaign),
        planCampaignsChange(organizationId),
        planQuotaUse(organizationKeys.counter(organizationId, campaignCounter), 'campaigns'),
        ...receiver.writes,
        ...planCampaignAudit(author.userId, 'campaign.created', campaign),
      ),
    ),
  );

  return written;
}

/**
 * A MEMBER and an API key may only send the current `webhookUrl`, which changes nothing.
 *
 * @throws like `createCampaign`, 404 for an unknown campaign, 400 for an invalid status change.
 */
export async function updateCampaign(
  organizationId: string,
  author: CampaignAuthor,
  campaignId: string,
  patch: CampaignPatch,
): Promise<WrittenCampaign> {
  if (Object.values(patch).every((value) => value === undefined)) {
    return { campaign: await requireCampaign(organizationId, campaignId), secret: undefined };
  }

  return retryWhenOvertaken('campaign', async () => {
    const [before, endpoint] = await Promise.all([
      requireCampaign(organizationId, campaignId),
      findWebhookEndpoint<WebhookEndpoint>(organizationId, campaignId),
    ]);

    return claimingKeywords(organizationId, () => applyPatch(author, before, endpoint, patch));
  });
}

/** Returns the changed attributes. Lists in the patch replace the current ones. */
async function patched(before: Campaign, patch: CampaignPatch) {
  const { organizationId } = before;
  const { keywords, agentConfigs, socialAccountIds, postIds, ...others } = patch;
  const accountIds = socialAccountIds === undefined ? undefined : [...new Set(socialAccountIds)];
  const narrowedTo = postIds === undefined ? undefined : [...new Set(postIds)];
  const configs = agentConfigs === null ? [] : agentConfigs;
  const templates = await requireParts(organizationId, {
    pipelineId: patch.pipelineId,
    socialAccountIds: accountIds,
    formerAccountIds: before.socialAccountIds,
    postIds: narrowedTo,
    formerPostIds: before.postIds,
    agentConfigs: configs,
  });
  const updatedAt = timestamp();

  return {
    ...others,
    socialAccountIds: accountIds,
    postIds: narrowedTo,
    keywords:
      keywords === undefined ? undefined : keywordsOf(keywords ?? [], before.keywords, updatedAt),
    agentConfigs: configs && agentConfigsOf(configs, before.agentConfigs, templates, updatedAt),
    version: before.version + 1,
    updatedAt,
  };
}

/**
 * Ignores an unchanged `webhookUrl` from an author who may not change it.
 *
 * @throws 403
 */
function permittedPatch(
  author: CampaignAuthor,
  { webhookUrl: current }: Campaign,
  { webhookUrl, ...others }: CampaignPatch,
): CampaignPatch {
  const isChanged = webhookUrl !== undefined && webhookUrl !== current;
  if (isChanged) {
    checkWebhookAccess(author);
  }
  const isKept = !isChanged && (isKeyActing() || !ranksAtLeast(author.role, 'ADMIN'));

  return isKept ? others : { webhookUrl, ...others };
}

async function applyPatch(
  author: CampaignAuthor,
  before: Campaign,
  current: WebhookEndpoint | undefined,
  wholePatch: CampaignPatch,
): Promise<WrittenCampaign> {
  const { organizationId, id } = before;
  const patch = permittedPatch(author, before, wholePatch);
  requireTransition(before.status, patch.status ?? before.status);
  const set = await patched(before, patch);
  const { version: _, updatedAt: __, ...wanted } = set;
  // Setting the webhook URL again, even to the same value, creates a new secret.
  if (!patch.webhookUrl && !changesSomething(before, wanted)) {
    return { campaign: before, secret: undefined };
  }
  const after = compact({ ...before, ...definedFields(set) }) as Campaign;
  const receiver = await planReceiver(organizationId, id, patch.webhookUrl, current);
  const event = [
    ...planCampaignUpdatedEvent(receiver.endpoint, after),
    ...(await planOrganizationEvent(organizationId, {
      type: 'campaign.updated',
      data: { campaignId: id, campaign: presentCampaign(after) },
    })),
  ];
  const { keywords, status, socialAccountIds, postIds, agentConfigs } = patch;
  const affectsMatching = [keywords, status, socialAccountIds, postIds, agentConfigs].some(
    (part) => part !== undefined,
  );
  await write(
    change(campaignKeys.campaign(organizationId, id), {
      set,
      when: equals('version', before.version),
    }),
    ...planUses(before, after),
    ...planKeywordClaims(before, after),
    ...(affectsMatching ? [planCampaignsChange(organizationId)] : []),
    ...receiver.writes,
    ...event,
    ...planCampaignAudit(author.userId, 'campaign.updated', after),
  );

  return { campaign: after, secret: receiver.secret };
}

/**
 * Deletes a campaign with its keywords, agents, metrics and webhook. Its leads and conversations
 * are kept.
 *
 * @throws 404
 */
export function deleteCampaign(
  organizationId: string,
  actorId: string,
  campaignId: string,
): Promise<void> {
  return retryWhenOvertaken('campaign', async () => {
    const campaign = await requireCampaign(organizationId, campaignId);
    await write(
      remove(campaignKeys.campaign(organizationId, campaignId), {
        when: equals('version', campaign.version),
      }),
      ...planUses(campaign, undefined),
      ...planKeywordClaims(campaign, undefined),
      planCampaignsChange(organizationId),
      planQuotaRelease(organizationKeys.counter(organizationId, campaignCounter)),
      discard(webhookKeys.webhookEndpoint(organizationId, campaignId)),
      discard(campaignKeys.answerCounts(organizationId, 'CAMPAIGN', campaignId)),
      ...planCampaignAudit(actorId, 'campaign.deleted', campaign),
    );
  });
}
