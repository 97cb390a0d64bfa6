import { randomUUID } from 'node:crypto';
import { createPromptTemplate } from '#schemas/ai.ts';
import { signUp } from '#schemas/auth.ts';
import { purchaseCredits } from '#schemas/billing.ts';
import { listPaymentMethods } from '#schemas/billing-subscription.ts';
import { createBioLink } from '#schemas/bio.ts';
import { createCampaign } from '#schemas/campaigns.ts';
import { createLeadWithContact, listPipelines } from '#schemas/leads.ts';
import { connectSocialAccount } from '#schemas/social.ts';
import { apiClient } from '#scripts/dev/demo/api-client.ts';
import { sandboxClient } from '#scripts/sandbox/client.ts';

/** An organization with leads and a page, and its owner's session. */
export type Tenant = {
  readonly token: string;
  readonly organizationId: string;
  readonly pipelineId: string;
  readonly leadIds: readonly string[];
  /** The page's id on Facebook. */
  readonly pageId: string;
  /** The page's id in the service. */
  readonly accountId: string;
  /** The code of a short link. */
  readonly linkCode: string;
};

const seededLeads = 40;
const atOnce = 4;

/** Creates an organization over HTTP, as its owner would. */
export async function newTenant(api: string, sandbox: string): Promise<Tenant> {
  const mark = randomUUID().slice(0, 8);
  const { organization, authToken } = await apiClient(api)(signUp, {
    body: {
      email: `load-${mark}@example.com`,
      password: 'correct horse battery',
      firstName: 'Ada',
      lastName: 'Lovelace',
      organizationName: `Load ${mark}`,
      timezone: 'Europe/London',
      paymentMethodId: 'pm_card_visa',
    },
  });
  const call = apiClient(api, authToken);
  const params = { organization_id: organization.id };
  const { pipelines } = await call(listPipelines, { params });
  const pipelineId = pipelines[0]?.id ?? '';
  const pageId = `load-${mark}`;
  const webhookUrl = `${sandbox}/_sandbox/hooks/load`;
  const { accessToken } = await sandboxClient(sandbox)
    .network('FACEBOOK')
    .issueTokens({ userId: pageId, userName: pageId });
  const { socialAccount } = await call(connectSocialAccount, {
    body: {
      platform: 'FACEBOOK',
      accessToken,
      platformUserId: pageId,
      platformUserName: pageId,
    },
  });
  await addAgent(call, params, { pipelineId, accountId: socialAccount.id, webhookUrl });
  const { bioLink } = await call(createBioLink, {
    params,
    body: { title: 'Engines', url: 'https://example.com/engines' },
  });
  const leadIds: string[] = [];
  while (leadIds.length < seededLeads) {
    const made = await Promise.all(
      Array.from({ length: atOnce }, () =>
        call(createLeadWithContact, { params, body: newLead(pipelineId) }),
      ),
    );
    leadIds.push(...made.map(({ lead }) => lead.id));
  }

  return {
    token: authToken,
    organizationId: organization.id,
    pipelineId,
    leadIds,
    pageId,
    accountId: socialAccount.id,
    linkCode: bioLink.shortUrl.split('/').at(-1) ?? '',
  };
}

type AgentParts = {
  readonly pipelineId: string;
  readonly accountId: string;
  readonly webhookUrl: string;
};

/** Lets an agent answer messages, with enough credits, and a receiver get the events. */
async function addAgent(
  call: ReturnType<typeof apiClient>,
  params: { readonly organization_id: string },
  { pipelineId, accountId, webhookUrl }: AgentParts,
): Promise<void> {
  const { paymentMethods } = await call(listPaymentMethods, {});
  await call(purchaseCredits, {
    body: { amount: 100, paymentMethodId: paymentMethods[0]?.id ?? '' },
  });
  const { promptTemplate } = await call(createPromptTemplate, {
    params,
    body: {
      name: 'Sales',
      templateContent: 'You answer for {{companyName}}.',
      businessInfo: { companyName: 'Analytical Engines' },
    },
  });
  await call(createCampaign, {
    params,
    body: {
      name: 'Engines',
      pipelineId,
      platform: 'FACEBOOK',
      socialAccountIds: [accountId],
      keywords: [{ keyword: 'engine', matchType: 'CONTAINS', priority: 1 }],
      agentConfigs: [{ channel: 'DIRECT_MESSAGE', promptTemplateId: promptTemplate.id }],
      webhookUrl,
    },
  });
}

/** A lead with a unique contact. */
export function newLead(pipelineId: string) {
  const mark = randomUUID();

  return {
    pipelineId,
    contact: { name: `Customer ${mark.slice(0, 8)}`, email: `${mark}@example.com` },
    value: 12_500,
    source: 'load',
  };
}
