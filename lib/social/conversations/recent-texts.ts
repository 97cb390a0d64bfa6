import { cutToLength } from '#lib/characters.ts';
import { dayMs, secondMs } from '#lib/clock.ts';
import { inboundTextShards, keys, ranges } from '#lib/db/keys.ts';
import { query } from '#lib/db/read.ts';
import { shardOf } from '#lib/db/sharded-list.ts';
import { put, type Write } from '#lib/db/write.ts';
import type { Message } from './conversation.ts';

const keptMs = 90 * dayMs;
/** Enough to see what is asked for, in a list that is read a thousand at a time. */
const maxTextLength = 1_000;

type InboundText = { readonly text: string };

/**
 * Adds what a customer wrote to the list of the organization's latest messages, in the transaction
 * that records it. It leaves the list 90 days after it was written.
 */
export function planRecentText(organizationId: string, { id, text, createdAt }: Message): Write {
  const key = keys.inboundText(organizationId, shardOf(id, inboundTextShards), id);
  const expiresAtSeconds = Math.floor((Date.parse(createdAt) + keptMs) / secondMs);

  return put(key, { text: cutToLength(text, maxTextLength), expiresAtSeconds });
}

/** What customers wrote last, at most `limit` messages of 90 days, newest first. */
export async function readRecentTexts(
  organizationId: string,
  limit: number,
): Promise<readonly string[]> {
  const shards = await Promise.all(
    Array.from({ length: inboundTextShards }, (_, shard) =>
      query<InboundText>(ranges.inboundTexts(organizationId, shard), { newestFirst: true, limit }),
    ),
  );

  return shards
    .flat()
    .sort((one, other) => (one.sk < other.sk ? 1 : -1))
    .slice(0, limit)
    .map(({ text }) => text);
}
