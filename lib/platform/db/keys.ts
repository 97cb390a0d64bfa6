import { attributionCounts, attributionKeys, attributionRanges } from './keys/attribution.ts';
import { billingKeys, billingRanges } from './keys/billing.ts';
import { bioKeys, bioRanges } from './keys/bio.ts';
import { answerCountsPartition, campaignKeys, campaignRanges } from './keys/campaigns.ts';
import { contentKeys, contentRanges } from './keys/content.ts';
import { type Key, type KeyRange, tenant, wholePartition, wordShards } from './keys/key.ts';
import { knowledgeKeys, knowledgeRanges } from './keys/knowledge.ts';
import { contactWords, leadFacets, leadKeys, leadRanges } from './keys/leads.ts';
import { liveKeys, liveRanges } from './keys/live.ts';
import { mediaKeys, mediaRanges } from './keys/media.ts';
import { organizationKeys, organizationRanges } from './keys/organizations.ts';
import {
  conversationWords,
  eventShards,
  inboundTextShards,
  socialKeys,
  socialRanges,
} from './keys/social.ts';
import { systemKeys, systemRanges } from './keys/system.ts';
import { userKeys, userRanges } from './keys/users.ts';
import { webhookKeys, webhookRanges } from './keys/webhooks.ts';

export type { Key, KeyRange };

/** The primary keys of all items. Key strings are built only in `keys/`. */
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
  everythingOf: (organizationId: string) => wholePartition(tenant(organizationId)),
  /**
   * The organization's partitions besides its main one: counters, search words, events, texts and
   * so on.
   */
  sidePartitions: (organizationId: string): readonly KeyRange[] => [
    liveRanges.liveTickets(organizationId),
    ...[
      keys.contactCounter(organizationId, 0),
      { pk: answerCountsPartition(organizationId) },
      ...Array.from({ length: wordShards }, (_, shard) => [
        { pk: contactWords(organizationId, shard) },
        { pk: conversationWords(organizationId, shard) },
      ]).flat(),
      keys.pipelineCounter(organizationId, '', 0),
      keys.leadTag(organizationId, '', ''),
      keys.leadTagCounter(organizationId, '', 0),
      keys.formCounter(organizationId, '', 0),
      keys.conversationCounter(organizationId, '', 0),
      keys.assignment(organizationId, '', ''),
      keys.webhookDelivery(organizationId, '', ''),
      keys.postDate(organizationId, '', ''),
      keys.postEntry(organizationId, 'account', '', ''),
      keys.postCounter(organizationId, 'all', '', 0),
      keys.contentGroup(organizationId, ''),
      keys.postMinute(organizationId, '', '', ''),
      keys.postMetrics(organizationId, '', ''),
      keys.publishedPost(organizationId, '', ''),
      keys.media(organizationId, ''),
      keys.mediaEntry(organizationId, '', ''),
      keys.knowledgeGap(organizationId, ''),
      keys.bioClicks(organizationId, '', 0),
      keys.bioDay(organizationId, '', '', 0),
      keys.bioReferrer(organizationId, '', '', 0, ''),
      ...attributionCounts.map((counted) =>
        keys.attributionCounter(organizationId, counted, '', '', 0),
      ),
      ...leadFacets.map((facet) => keys.facetCounter(organizationId, facet, '', 0)),
      ...Array.from({ length: eventShards }, (_, shard) =>
        keys.inboundEvent(organizationId, shard, '', ''),
      ),
      ...Array.from({ length: inboundTextShards }, (_, shard) =>
        keys.inboundText(organizationId, shard, ''),
      ),
    ].map(({ pk }) => wholePartition(pk)),
  ],
  partitionOf: ({ pk }: Key) => wholePartition(pk),
}))();
