import { attributionCounts, attributionKeys } from './attribution.ts';
import { bioKeys } from './bio.ts';
import { answerCountsPartition } from './campaigns.ts';
import { contentKeys } from './content.ts';
import { type KeyRange, wholePartition, wordShards } from './key.ts';
import { knowledgeKeys } from './knowledge.ts';
import { contactWords, leadFacets, leadKeys } from './leads.ts';
import { liveRanges } from './live.ts';
import { mediaKeys } from './media.ts';
import { conversationWords, eventShards, inboundTextShards, socialKeys } from './social.ts';
import { webhookKeys } from './webhooks.ts';

/** All partitions of an organization but its own: counters, search words, events, texts and so on. */
export function sidePartitions(organizationId: string): readonly KeyRange[] {
  return [
    liveRanges.liveTickets(organizationId),
    ...[
      leadKeys.contactCounter(organizationId, 0),
      { pk: answerCountsPartition(organizationId) },
      ...Array.from({ length: wordShards }, (_, shard) => [
        { pk: contactWords(organizationId, shard) },
        { pk: conversationWords(organizationId, shard) },
      ]).flat(),
      leadKeys.pipelineCounter(organizationId, '', 0),
      leadKeys.leadTag(organizationId, '', ''),
      leadKeys.leadTagCounter(organizationId, '', 0),
      leadKeys.formCounter(organizationId, '', 0),
      socialKeys.conversationCounter(organizationId, '', 0),
      socialKeys.assignment(organizationId, '', ''),
      webhookKeys.webhookDelivery(organizationId, '', ''),
      contentKeys.postDate(organizationId, '', ''),
      contentKeys.postEntry(organizationId, 'account', '', ''),
      contentKeys.postCounter(organizationId, 'all', '', 0),
      contentKeys.contentGroup(organizationId, ''),
      contentKeys.postMinute(organizationId, '', '', ''),
      contentKeys.postMetrics(organizationId, '', ''),
      contentKeys.publishedPost(organizationId, '', ''),
      mediaKeys.media(organizationId, ''),
      mediaKeys.mediaEntry(organizationId, '', ''),
      knowledgeKeys.knowledgeGap(organizationId, ''),
      bioKeys.bioClicks(organizationId, '', 0),
      bioKeys.bioDay(organizationId, '', '', 0),
      bioKeys.bioReferrer(organizationId, '', '', 0, ''),
      ...attributionCounts.map((counted) =>
        attributionKeys.attributionCounter(organizationId, counted, '', '', 0),
      ),
      ...leadFacets.map((facet) => leadKeys.facetCounter(organizationId, facet, '', 0)),
      ...Array.from({ length: eventShards }, (_, shard) =>
        socialKeys.inboundEvent(organizationId, shard, '', ''),
      ),
      ...Array.from({ length: inboundTextShards }, (_, shard) =>
        socialKeys.inboundText(organizationId, shard, ''),
      ),
    ].map(({ pk }) => wholePartition(pk)),
  ];
}
