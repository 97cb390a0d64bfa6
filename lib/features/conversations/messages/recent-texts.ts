import type { Message } from '#lib/features/conversations/conversation.ts';
import { cutToLength } from '#lib/platform/characters.ts';
import { dayMs, secondMs } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { inboundTextShards, socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { shardOf } from '#lib/platform/db/lists/shards.ts';
import { query } from '#lib/platform/db/read.ts';
import { put, type Write } from '#lib/platform/db/write.ts';

const retentionMs = 90 * dayMs;
/** Keeps reads of a thousand texts small, and is enough to recognize the customer's request. */
const maxTextLength = 1_000;

type InboundText = { readonly text: string };

export function recentTextKey(organizationId: string, messageId: string): Key {
  return socialKeys.inboundText(organizationId, shardOf(messageId, inboundTextShards), messageId);
}

/**
 * Adds a customer's message to the organization's recent texts, in the transaction that records it.
 * The entry expires 90 days after the message was written.
 */
export function planRecentText(organizationId: string, { id, text, createdAt }: Message): Write {
  const key = recentTextKey(organizationId, id);
  const expiresAtSeconds = Math.floor((Date.parse(createdAt) + retentionMs) / secondMs);

  return put(key, { text: cutToLength(text, maxTextLength), expiresAtSeconds });
}

/** Reads 25% more than an even share per shard, so that a second read is rarely needed. */
const readMargin = 1.25;

/**
 * Returns what customers wrote in the last 90 days, newest first, at most `limit` texts. Eventually
 * consistent: messages from the last few milliseconds may be missing.
 */
export async function readRecentTexts(
  organizationId: string,
  limit: number,
): Promise<readonly string[]> {
  let perShard = Math.ceil((limit / inboundTextShards) * readMargin);
  for (;;) {
    const shards = await readShards(organizationId, perShard);
    const newest = shards
      .flat()
      .sort((one, other) => (one.sk < other.sk ? 1 : -1))
      .slice(0, limit);
    const oldest = newest[limit - 1]?.sk ?? '';
    const isWhole = (rows: Rows) => rows.length < perShard || (rows.at(-1)?.sk ?? '') <= oldest;
    if (perShard >= limit || shards.every(isWhole)) {
      return newest.map(({ text }) => text);
    }
    perShard = Math.min(perShard * 2, limit);
  }
}

type Rows = ReadonlyArray<InboundText & Key>;

function readShards(organizationId: string, limit: number): Promise<readonly Rows[]> {
  return Promise.all(
    Array.from({ length: inboundTextShards }, (_, shard) =>
      query<InboundText>(socialRanges.inboundTexts(organizationId, shard), {
        newestFirst: true,
        eventually: true,
        limit,
      }),
    ),
  );
}
