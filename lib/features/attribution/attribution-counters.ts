import { createHash } from 'node:crypto';
import { type Amounts, difference } from '#lib/platform/db/amounts.ts';
import { type AttributionCount, attributionKeys } from '#lib/platform/db/keys/attribution.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { shardOf } from '#lib/platform/db/lists/shards.ts';
import { change, type Write } from '#lib/platform/db/write.ts';
import type { Attribution } from './attribution.ts';

/** The same number as for the other counters that these transactions change. */
const counterShards = 16;

/** The amounts that a record adds to the counter of its attribution on a day. */
export type AttributedCount = {
  readonly key: Key;
  readonly attribution: Attribution;
  readonly amounts: Amounts;
};

type Counted = {
  readonly organizationId: string;
  readonly counted: AttributionCount;
  /** The id of the record. It determines the shard. */
  readonly id: string;
  /** The time at which the record counts. */
  readonly at: string;
  readonly attribution: Attribution;
  readonly amounts: Amounts;
};

/**
 * A counter belongs to a complete attribution, not only to a post or a keyword. So a record changes
 * one item, and the report adds up the counters by any part.
 */
export function attributedCount(record: Counted): AttributedCount {
  const { organizationId, counted, id, at, attribution, amounts } = record;
  const day = at.slice(0, 10);
  const shard = shardOf(id, counterShards);

  return {
    key: attributionKeys.attributionCounter(
      organizationId,
      counted,
      day,
      hashOf(attribution),
      shard,
    ),
    attribution,
    amounts,
  };
}

function hashOf({ network, postId, campaignId, keyword, link }: Attribution): string {
  const parts = JSON.stringify([network, postId, campaignId, keyword, link]);

  return createHash('sha256').update(parts).digest('base64url').slice(0, 16);
}

/**
 * Returns the writes that count a change of a record. `undefined` means that the record does not
 * count before or after the change.
 */
export function planAttributionCount(
  before: AttributedCount | undefined,
  after: AttributedCount | undefined,
): readonly Write[] {
  if (before && after && before.key.sk === after.key.sk) {
    return planAmounts(after, difference(before.amounts, after.amounts));
  }

  return [
    ...(before ? planAmounts(before, difference(before.amounts, {})) : []),
    ...(after ? planAmounts(after, difference({}, after.amounts)) : []),
  ];
}

function planAmounts({ key, attribution }: AttributedCount, amounts: Amounts): readonly Write[] {
  return Object.keys(amounts).length > 0
    ? [change(key, { set: attribution, add: amounts, orCreate: true })]
    : [];
}

/**
 * Returns the write that counts a click on a personal link. The conversation determines the shard.
 */
export function planClickAttribution(
  click: Pick<Counted, 'organizationId' | 'id' | 'at' | 'attribution'>,
): readonly Write[] {
  const counted = attributedCount({ ...click, counted: 'CLICKS', amounts: { clicks: 1 } });

  return planAttributionCount(undefined, counted);
}
