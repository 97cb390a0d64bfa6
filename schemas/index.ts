import * as ai from './ai.ts';
import * as apiKeys from './api-keys.ts';
import * as app from './app.ts';
import * as attribution from './attribution.ts';
import * as auth from './auth.ts';
import * as billing from './billing.ts';
import * as billingSubscription from './billing-subscription.ts';
import * as bio from './bio.ts';
import * as campaigns from './campaigns.ts';
import * as connectLinks from './connect-links.ts';
import * as content from './content.ts';
import * as contentGroups from './content-groups.ts';
import * as contentSlots from './content-slots.ts';
import type { Contract, JobDefinition, WorkerDefinition } from './contract.ts';
import * as conversations from './conversations.ts';
import * as customFields from './custom-fields.ts';
import * as docs from './docs.ts';
import * as forms from './forms.ts';
import * as health from './health.ts';
import * as knowledge from './knowledge.ts';
import * as leads from './leads.ts';
import * as live from './live.ts';
import * as mcp from './mcp.ts';
import * as media from './media.ts';
import { jobDefinitions, workerDefinitions } from './messages.ts';
import * as moderationRules from './moderation-rules.ts';
import * as operators from './operators.ts';
import * as organizationWebhooks from './organization-webhooks.ts';
import * as organizations from './organizations.ts';
import * as persons from './persons.ts';
import * as savedReplies from './saved-replies.ts';
import * as segments from './segments.ts';
import * as social from './social.ts';
import * as socialOauth from './social-oauth.ts';
import * as socialWebhooks from './social-webhooks.ts';
import * as webhooks from './webhooks.ts';

const modules: readonly object[] = [
  auth,
  organizations,
  operators,
  apiKeys,
  billing,
  billingSubscription,
  leads,
  attribution,
  persons,
  customFields,
  segments,
  forms,
  social,
  socialOauth,
  connectLinks,
  webhooks,
  organizationWebhooks,
  live,
  ai,
  knowledge,
  socialWebhooks,
  conversations,
  savedReplies,
  moderationRules,
  campaigns,
  content,
  contentGroups,
  contentSlots,
  media,
  bio,
  health,
  mcp,
  docs,
  app,
];

/** All endpoints of the service. A contract is deployed if its module is in the list above. */
export const endpoints: readonly Contract[] = modules.flatMap((exported) =>
  Object.values(exported).filter(isContract),
);

function isContract(value: unknown): value is Contract {
  return typeof value === 'object' && value !== null && 'operationId' in value;
}

export const workers: readonly WorkerDefinition[] = Object.values(workerDefinitions);

export const jobs: readonly JobDefinition[] = Object.values(jobDefinitions);
