import { between, counterShard, key, last, tenant } from './key.ts';

/** These counters have their own partitions, because all three can be written often. */
export const attributionCounts = ['CLICKS', 'CONVERSATIONS', 'LEADS'] as const;

export type AttributionCount = (typeof attributionCounts)[number];

export const attributionKeys = {
  /** Metrics of one day (`2026-01-15`) for one combination of post, campaign, keyword and so on. */
  attributionCounter: (
    organizationId: string,
    counted: AttributionCount,
    day: string,
    attributionHash: string,
    shard: number,
  ) =>
    key(
      `${tenant(organizationId)}#ATTRIBUTION#${counted}`,
      `${day}#${attributionHash}#${counterShard(shard)}`,
    ),
};

export const attributionRanges = {
  /** All counters between two days, both inclusive. */
  attributionCounters: (
    organizationId: string,
    counted: AttributionCount,
    from: string,
    to: string,
  ) =>
    between(
      attributionKeys.attributionCounter(organizationId, counted, '', '', 0).pk,
      `${from}#`,
      `${to}#${last}`,
    ),
};
