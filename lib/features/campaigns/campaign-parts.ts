import { promptProblems } from '#lib/features/ai/prompt.ts';
import { type NamedTemplate, requireTemplates } from '#lib/features/ai/template-uses.ts';
import type { ContentPost } from '#lib/features/content/posts/post.ts';
import {
  type SocialAccount,
  socialAccountNotFound,
} from '#lib/features/social/accounts/accounts.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { notFound, rejectProblems } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { normalizeKeywordText } from '#lib/platform/keyword-text.ts';
import type { createCampaign } from '#schemas/campaigns.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { AgentConfig, CampaignKeyword, PrivateReply } from './campaign.ts';

export type NewKeyword = NonNullable<BodyOf<typeof createCampaign>['keywords']>[number];

export type NewAgentConfig = NonNullable<BodyOf<typeof createCampaign>['agentConfigs']>[number];

export type NamedParts = {
  readonly pipelineId?: string | undefined;
  readonly socialAccountIds?: readonly string[] | undefined;
  /**
   * Accounts that the campaign already uses. They are allowed even if they have been disconnected.
   */
  readonly formerAccountIds?: readonly string[] | undefined;
  readonly postIds?: readonly string[] | undefined;
  /** Posts that the campaign already refers to. They are allowed even if they have been deleted. */
  readonly formerPostIds?: readonly string[] | undefined;
  readonly agentConfigs?: readonly NewAgentConfig[] | undefined;
};

/**
 * Verifies that all records a campaign refers to exist, in one round trip.
 *
 * @returns the kind of each agent's template.
 * @throws 404 for a missing record, 400 for a long prompt.
 */
export async function requireParts(
  organizationId: string,
  parts: NamedParts,
): Promise<readonly NamedTemplate[]> {
  const { pipelineId, agentConfigs = [] } = parts;
  const [templates] = await Promise.all([
    requireTemplates(
      organizationId,
      agentConfigs.map(({ promptTemplateId }) => promptTemplateId),
    ),
    requireAccounts(organizationId, parts),
    requirePosts(organizationId, parts),
    pipelineId === undefined ? undefined : requirePipelineOf(organizationId, pipelineId),
  ]);
  for (const [index, { promptTemplateId, variables }] of agentConfigs.entries()) {
    const template = templates.find(({ id }) => id === promptTemplateId);
    if (template) {
      rejectProblems(
        promptProblems(`agentConfigs.${index}.variables`, template.source, variables ?? {}),
      );
    }
  }

  return templates;
}

async function requirePipelineOf(organizationId: string, pipelineId: string): Promise<void> {
  const [pipeline] = await getMany([leadKeys.pipeline(organizationId, pipelineId)]);
  if (!pipeline) {
    throw notFound('Pipeline');
  }
}

async function requireAccounts(
  organizationId: string,
  { socialAccountIds = [], formerAccountIds = [] }: NamedParts,
): Promise<void> {
  const added = socialAccountIds.filter((id) => !formerAccountIds.includes(id));
  const accounts = await getMany<SocialAccount>(
    added.map((id) => socialKeys.socialAccount(organizationId, id)),
  );
  if (accounts.includes(undefined)) {
    throw socialAccountNotFound();
  }
}

async function requirePosts(
  organizationId: string,
  { postIds = [], formerPostIds = [] }: NamedParts,
): Promise<void> {
  const added = postIds.filter((id) => !formerPostIds.includes(id));
  const posts = await getMany<ContentPost>(
    added.map((id) => contentKeys.contentPost(organizationId, id)),
  );
  if (posts.some((post) => !post || post.state === 'DELETED')) {
    throw notFound('Content post');
  }
}

/** Returns the keywords of a campaign. A keyword with an unchanged text keeps its id. */
export function keywordsOf(
  given: readonly NewKeyword[],
  former: readonly CampaignKeyword[],
  createdAt: string,
): readonly CampaignKeyword[] {
  const byText = new Map(former.map((known) => [normalizeKeywordText(known.keyword), known]));

  return given.map(({ keyword, matchType, priority }) => {
    const known = byText.get(normalizeKeywordText(keyword));
    const { id, createdAt: since } = known ?? { id: newId(), createdAt };

    return { id, keyword, matchType, priority, createdAt: since };
  });
}

/** Returns the agents of a campaign. If the channel already had an agent, its id is kept. */
export function agentConfigsOf(
  given: readonly NewAgentConfig[],
  former: readonly AgentConfig[],
  templates: readonly NamedTemplate[],
  createdAt: string,
): readonly AgentConfig[] {
  const byChannel = new Map(former.map((known) => [known.channel, known]));
  const kindOf = new Map(templates.map(({ id, kind }) => [id, kind]));

  return given.map(
    ({ channel, promptTemplateId, variables, privateReply, followUp, ...config }) => {
      const { id, createdAt: since } = byChannel.get(channel) ?? { id: newId(), createdAt };

      return {
        id,
        channel,
        promptTemplateId,
        templateKind: kindOf.get(promptTemplateId) ?? 'TEMPLATE',
        autoResponse: config.autoResponse ?? true,
        responseDelay: config.responseDelay ?? 0,
        ...(variables ? { variables } : {}),
        ...(privateReply ? { privateReply: privateReplyOf(privateReply) } : {}),
        ...(followUp ? { followUp } : {}),
        createdAt: since,
      };
    },
  );
}

function privateReplyOf({
  text,
  buttons,
}: NonNullable<NewAgentConfig['privateReply']>): PrivateReply {
  return {
    text,
    buttons: (buttons ?? []).map(({ label, url, reply }) =>
      url ? { label, url } : { label, reply: reply ?? '' },
    ),
  };
}
