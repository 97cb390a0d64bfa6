import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '#lib/features/conversations/conversation.ts';
import {
  planRecentText,
  readRecentTexts,
} from '#lib/features/conversations/messages/recent-texts.ts';
import { inboundTextShards } from '#lib/platform/db/keys/social.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { depth } from '#tests/support/depth.ts';
import { startLater } from '#tests/support/own-table.ts';

/** Returns a message id in the given shard that is newer than all earlier ones. */
function idIn(shard: number, number: number): string {
  return `${newId().slice(0, 9)}${String(number).padStart(4, '0')}-7000-8000-${shard.toString(16).padStart(12, '0')}`;
}

test('recentTexts returns the latest texts, however unevenly they are distributed over shards', async () => {
  const places = fc.array(fc.integer({ min: 0, max: inboundTextShards - 1 }), { maxLength: 25 });
  const uneven = fc.array(fc.constant(1), { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(places, uneven),
      fc.integer({ min: 1, max: 12 }),
      async (shards, limit) => {
        const organizationId = newId();
        const createdAt = new Date().toISOString();
        for (const [number, shard] of shards.entries()) {
          const message = { id: idIn(shard, number), text: String(number), createdAt };
          await write(planRecentText(organizationId, message as Message));
        }

        const latest = shards
          .map((_, number) => String(number))
          .reverse()
          .slice(0, limit);
        const found = await startLater(() => readRecentTexts(organizationId, limit));
        expect(found).toEqual(latest);
      },
    ),
    { numRuns: depth(30) },
  );
});
