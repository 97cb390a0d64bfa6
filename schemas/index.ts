import { aiContracts } from './ai.ts';
import { attributionContracts } from './attribution.ts';
import { authContracts } from './auth.ts';
import { billingContracts } from './billing.ts';
import { billingSubscriptionContracts } from './billing-subscription.ts';
import { bioContracts } from './bio.ts';
import { campaignContracts } from './campaigns.ts';
import { connectLinkContracts } from './connect-links.ts';
import { contentContracts } from './content.ts';
import { contentGroupContracts } from './content-groups.ts';
import { contentSlotContracts } from './content-slots.ts';
import type { Contract, JobDefinition, WorkerDefinition } from './contract.ts';
import { conversationContracts } from './conversations.ts';
import { customFieldContracts } from './custom-fields.ts';
import { docsContracts } from './docs.ts';
import { formContracts } from './forms.ts';
import { healthContracts } from './health.ts';
import { knowledgeContracts } from './knowledge.ts';
import { leadContracts } from './leads.ts';
import { liveContracts } from './live.ts';
import { mediaContracts } from './media.ts';
import { jobDefinitions, workerDefinitions } from './messages.ts';
import { moderationRuleContracts } from './moderation-rules.ts';
import { organizationWebhookContracts } from './organization-webhooks.ts';
import { organizationContracts } from './organizations.ts';
import { savedReplyContracts } from './saved-replies.ts';
import { segmentContracts } from './segments.ts';
import { socialContracts } from './social.ts';
import { socialOauthContracts } from './social-oauth.ts';
import { socialWebhookContracts } from './social-webhooks.ts';
import { webhookContracts } from './webhooks.ts';

/** All endpoints of the service. An endpoint that is not listed here is not deployed. */
export const endpoints: readonly Contract[] = [
  ...authContracts,
  ...organizationContracts,
  ...billingContracts,
  ...billingSubscriptionContracts,
  ...leadContracts,
  ...attributionContracts,
  ...customFieldContracts,
  ...segmentContracts,
  ...formContracts,
  ...socialContracts,
  ...socialOauthContracts,
  ...connectLinkContracts,
  ...webhookContracts,
  ...organizationWebhookContracts,
  ...liveContracts,
  ...aiContracts,
  ...knowledgeContracts,
  ...socialWebhookContracts,
  ...conversationContracts,
  ...savedReplyContracts,
  ...moderationRuleContracts,
  ...campaignContracts,
  ...contentContracts,
  ...contentGroupContracts,
  ...contentSlotContracts,
  ...mediaContracts,
  ...bioContracts,
  ...healthContracts,
  ...docsContracts,
];

export const workers: readonly WorkerDefinition[] = Object.values(workerDefinitions);

export const jobs: readonly JobDefinition[] = Object.values(jobDefinitions);
