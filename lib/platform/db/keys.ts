import { attributionKeys, attributionRanges } from './keys/attribution.ts';
import { billingKeys, billingRanges } from './keys/billing.ts';
import { bioKeys, bioRanges } from './keys/bio.ts';
import { campaignKeys, campaignRanges } from './keys/campaigns.ts';
import { contentKeys, contentRanges } from './keys/content.ts';
import type { Key, KeyRange } from './keys/key.ts';
import { knowledgeKeys, knowledgeRanges } from './keys/knowledge.ts';
import { leadKeys, leadRanges } from './keys/leads.ts';
import { liveKeys, liveRanges } from './keys/live.ts';
import { mediaKeys, mediaRanges } from './keys/media.ts';
import { organizationKeys, organizationRanges } from './keys/organizations.ts';
import { socialKeys, socialRanges } from './keys/social.ts';
import { systemKeys, systemRanges } from './keys/system.ts';
import { userKeys, userRanges } from './keys/users.ts';
import { webhookKeys, webhookRanges } from './keys/webhooks.ts';

export type { Key, KeyRange };

/**
 * The primary keys of all items, for tests and scripts. Functions import the keys of their areas
 * from `keys/`, so that their bundles contain no others.
 */
export const keys = /* @__PURE__ */ (() => ({
  ...userKeys,
  ...organizationKeys,
  ...billingKeys,
  ...leadKeys,
  ...attributionKeys,
  ...campaignKeys,
  ...socialKeys,
  ...contentKeys,
  ...mediaKeys,
  ...knowledgeKeys,
  ...bioKeys,
  ...webhookKeys,
  ...liveKeys,
  ...systemKeys,
}))();

/** Ranges of sort keys within one partition. */
export const ranges = /* @__PURE__ */ (() => ({
  ...userRanges,
  ...organizationRanges,
  ...billingRanges,
  ...leadRanges,
  ...attributionRanges,
  ...campaignRanges,
  ...socialRanges,
  ...contentRanges,
  ...mediaRanges,
  ...knowledgeRanges,
  ...bioRanges,
  ...webhookRanges,
  ...liveRanges,
  ...systemRanges,
}))();
