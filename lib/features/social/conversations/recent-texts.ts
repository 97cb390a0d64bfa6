import { cutToLength } from '#lib/platform/characters.ts';
import { dayMs, secondMs } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { inboundTextShards } from '#lib/platform/db/keys/social.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { shardOf } from '#lib/platform/db/sharded-list.ts';
import { put, type Write } from '#lib/platform/db/write.ts';
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

/** Shards are seldom filled so unevenly that so much more than its part of one is asked for. */
const reserve = 1.25;

/**
 * What customers wrote last, at most `limit` messages of 90 days, newest first. What came in some
 * milliseconds ago may be missing.
 */
export async function readRecentTexts(
  organizationId: string,
  limit: number,
): Promise<readonly string[]> {
  let perShard = Math.ceil((limit / inboundTextShards) * reserve);
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
      query<InboundText>(ranges.inboundTexts(organizationId, shard), {
        newestFirst: true,
        eventually: true,
        limit,
      }),
    ),
  );
}
