import { countTemplateUse, type NamedTemplate } from '#lib/features/ai/template-uses.ts';
import { countPipelineUse } from '#lib/features/leads/pipelines/pipelines.ts';
import { auditWrites } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  type Alongside,
  change,
  count,
  create,
  discard,
  remove,
  type Write,
  withoutNulls,
  write,
} from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { checkPublicUrl } from '#lib/platform/outbound/public-url.ts';
import { findWebhookEndpoint, type WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import type { CampaignStatus } from '#schemas/campaigns.ts';
import type { Platform } from '#schemas/platforms.ts';
import { type Campaign, campaignCounter, requireCampaign, requireTransition } from './campaign.ts';
import { campaignUpdated, planReceiver } from './campaign-events.ts';
import {
  agentConfigsOf,
  keywordsOf,
  type NewAgentConfig,
  type NewKeyword,
  requireParts,
} from './campaign-parts.ts';
import {
  claimingKeywords,
  countCampaignsChange,
  planKeywordClaims,
  requireDistinctKeywords,
} from './keyword-claims.ts';

type Given<T> = T | null | undefined;

type OwnDetails = {
  readonly description?: Given<string>;
  readonly keywords?: Given<readonly NewKeyword[]>;
  readonly agentConfigs?: Given<readonly NewAgentConfig[]>;
  readonly webhookUrl?: Given<string>;
  readonly utmSource?: Given<string>;
  readonly utmMedium?: Given<string>;
  readonly utmCampaign?: Given<string>;
};

export type CampaignDetails = OwnDetails & {
  readonly name: string;
  readonly pipelineId: string;
  readonly platform: Platform;
  readonly socialAccountIds: readonly string[];
  readonly status?: Given<'DRAFT' | 'ACTIVE'>;
};

export type CampaignPatch = OwnDetails & {
  readonly name?: string | undefined;
  readonly pipelineId?: string | undefined;
  readonly socialAccountIds?: Given<readonly string[]>;
  readonly status?: CampaignStatus | undefined;
};

/** A campaign that was just written; the secret is there where its URL was set. */
export type WrittenCampaign = { readonly campaign: Campaign; readonly secret: string | undefined };

function checkInput({ keywords, webhookUrl }: OwnDetails): void {
  requireDistinctKeywords(keywords ?? []);
  if (webhookUrl) {
    checkPublicUrl(webhookUrl);
  }
}

function audited(
  actorId: string,
  action: 'campaign.created' | 'campaign.updated' | 'campaign.deleted',
  { organizationId, id, name }: Campaign,
): readonly Write[] {
  return auditWrites(organizationId, {
    action,
    actorId,
    targetType: 'campaign',
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

/** A campaign uses a template once, on however many channels. */
function planUses(before: Campaign | undefined, after: Campaign | undefined): readonly Write[] {
  const organizationId = (after ?? before)?.organizationId ?? '';
  const [former, wanted] = [templatesOf(before), templatesOf(after)];
  const hasMoved = before?.pipelineId !== after?.pipelineId;

  return [
    ...[...wanted.values()]
      .filter(({ id }) => !former.has(id))
      .map((template) => countTemplateUse(organizationId, template, 1)),
    ...[...former.values()]
      .filter(({ id }) => !wanted.has(id))
      .map((template) => countTemplateUse(organizationId, template, -1)),
    ...(hasMoved && after ? [countPipelineUse(organizationId, after.pipelineId, 1)] : []),
    ...(hasMoved && before ? [countPipelineUse(organizationId, before.pipelineId, -1)] : []),
  ];
}

/**
 * @throws 400 for a text that is twice among the keywords, a URL that this service must not call, an
 * account of another platform; 404 for an unknown pipeline, account or template; 409 with
 * `conflictingCampaign` for a keyword that another campaign has.
 */
export async function createCampaign(
  organizationId: string,
  actorId: string,
  details: CampaignDetails,
  alongside: Alongside<WrittenCampaign>,
): Promise<WrittenCampaign> {
  checkInput(details);
  const socialAccountIds = [...new Set(details.socialAccountIds)];
  const agentConfigs = details.agentConfigs ?? [];
  const { platform, pipelineId } = details;
  const parts = { platform, pipelineId, socialAccountIds, agentConfigs };
  const templates = await requireParts(organizationId, parts);
  const [id, now] = [newId(), timestamp()];
  const campaign = {
    ...withoutNulls(details),
    id,
    organizationId,
    socialAccountIds,
    keywords: keywordsOf(details.keywords ?? [], [], now),
    agentConfigs: agentConfigsOf(agentConfigs, [], templates, now),
    status: details.status ?? 'ACTIVE',
    version: 1,
    createdAt: now,
    updatedAt: now,
  } as Campaign;
  const receiver = await planReceiver(organizationId, id, details.webhookUrl, undefined);
  const written = { campaign, secret: receiver.secret };
  const kept = await alongside(written);
  await retryWhenOvertaken('campaign', () =>
    claimingKeywords(organizationId, () =>
      write(
        ...kept,
        create(keys.campaign(organizationId, id), campaign),
        ...planUses(undefined, campaign),
        ...planKeywordClaims(undefined, campaign),
        countCampaignsChange(organizationId),
        count(keys.counter(organizationId, campaignCounter), { value: 1 }),
        ...receiver.writes,
        ...audited(actorId, 'campaign.created', campaign),
      ),
    ),
  );

  return written;
}

/** @throws as `createCampaign`, 404 for the campaign, 400 for a status that it cannot get. */
export async function updateCampaign(
  organizationId: string,
  actorId: string,
  campaignId: string,
  patch: CampaignPatch,
): Promise<WrittenCampaign> {
  checkInput(patch);
  if (Object.values(patch).every((value) => value === undefined)) {
    return { campaign: await requireCampaign(organizationId, campaignId), secret: undefined };
  }

  return retryWhenOvertaken('campaign', async () => {
    const [before, endpoint] = await Promise.all([
      requireCampaign(organizationId, campaignId),
      findWebhookEndpoint<WebhookEndpoint>(organizationId, campaignId),
    ]);

    return claimingKeywords(organizationId, () => applyPatch(actorId, before, endpoint, patch));
  });
}

/** What a campaign becomes: what is given replaces what was there. */
async function patched(before: Campaign, patch: CampaignPatch) {
  const { organizationId, platform } = before;
  const { keywords, agentConfigs, socialAccountIds, ...others } = patch;
  const accountIds = socialAccountIds === undefined ? undefined : [...new Set(socialAccountIds)];
  const configs = agentConfigs === null ? [] : agentConfigs;
  const templates = await requireParts(organizationId, {
    platform,
    pipelineId: patch.pipelineId,
    socialAccountIds: accountIds,
    formerAccountIds: before.socialAccountIds,
    agentConfigs: configs,
  });
  const updatedAt = timestamp();

  return {
    ...others,
    socialAccountIds: accountIds,
    keywords:
      keywords === undefined ? undefined : keywordsOf(keywords ?? [], before.keywords, updatedAt),
    agentConfigs: configs && agentConfigsOf(configs, before.agentConfigs, templates, updatedAt),
    version: before.version + 1,
    updatedAt,
  };
}

async function applyPatch(
  actorId: string,
  before: Campaign,
  current: WebhookEndpoint | undefined,
  patch: CampaignPatch,
): Promise<WrittenCampaign> {
  const { organizationId, id } = before;
  requireTransition(before.status, patch.status ?? before.status);
  const set = await patched(before, patch);
  const { version: _, updatedAt: __, ...wanted } = set;
  // A receiver that is named again has a new secret.
  if (!patch.webhookUrl && !changesSomething(before, wanted)) {
    return { campaign: before, secret: undefined };
  }
  const given = Object.entries(set).filter(([, value]) => value !== undefined);
  const after = withoutNulls<Campaign>({ ...before, ...Object.fromEntries(given) });
  const receiver = await planReceiver(organizationId, id, patch.webhookUrl, current);
  const event = campaignUpdated(receiver.endpoint, after);
  const { keywords, status, socialAccountIds, agentConfigs } = patch;
  const isMatchedOtherwise = [keywords, status, socialAccountIds, agentConfigs].some(
    (part) => part !== undefined,
  );
  await write(
    change(keys.campaign(organizationId, id), { set, when: equals('version', before.version) }),
    ...planUses(before, after),
    ...planKeywordClaims(before, after),
    ...(isMatchedOtherwise ? [countCampaignsChange(organizationId)] : []),
    ...receiver.writes,
    ...event,
    ...audited(actorId, 'campaign.updated', after),
  );

  return { campaign: after, secret: receiver.secret };
}

/**
 * Removes a campaign with its keywords, agents, figures and receiver. Leads and conversations that
 * came from it stay.
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
      remove(keys.campaign(organizationId, campaignId), {
        when: equals('version', campaign.version),
      }),
      ...planUses(campaign, undefined),
      ...planKeywordClaims(campaign, undefined),
      countCampaignsChange(organizationId),
      count(keys.counter(organizationId, campaignCounter), { value: -1 }),
      discard(keys.webhookEndpoint(organizationId, campaignId)),
      discard(keys.aiFigures(organizationId, 'CAMPAIGN', campaignId)),
      ...audited(actorId, 'campaign.deleted', campaign),
    );
  });
}
