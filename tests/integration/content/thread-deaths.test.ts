import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { changePost } from '#lib/features/content/change-post.ts';
import type { ContentPost } from '#lib/features/content/posts/post.ts';
import { planPost } from '#lib/features/content/posts/post-writes.ts';
import { duePublication, leaseMs } from '#lib/features/content/publishing/ownership.ts';
import { publishDuePost } from '#lib/features/content/publishing/publish-account.ts';
import { reconcilePost } from '#lib/features/content/reconcile-post.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, hourMs, minuteMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { listOf } from '#lib/platform/db/lists/shards.ts';
import { get } from '#lib/platform/db/read.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { type Death, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { type ContentSetup, contentSetup } from './setup.ts';
import { type Trouble, threadNetwork } from './thread-network.ts';

let world: ContentSetup;
let account: SocialAccount;
let aheadMs = 0;

waitForNobody();

beforeAll(async () => {
  world = await contentSetup();
  account = await storeSocialAccount(world.organizationId, {
    platform: 'TWITTER',
    platformUserId: `x${randomUUID()}`,
    tokenExpiresAt: timestamp(3_650 * dayMs),
  });
  setClock(() => Date.now() + aheadMs);
});

/** Stores a thread that is due. */
async function dueThread(texts: readonly string[]): Promise<ContentPost> {
  const [content = '', ...rest] = texts;
  const id = newId();
  const targetAccountId = account.id;
  const post: ContentPost = {
    id,
    organizationId: world.organizationId,
    list: listOf('post', id),
    targetAccountId,
    platform: 'TWITTER',
    content,
    mediaUrls: [],
    mediaIds: [],
    tags: [],
    thread: rest.map((text) => ({ content: text, mediaIds: [] })),
    state: 'SCHEDULED',
    scheduledAt: timestamp(),
    attempt: 0,
    tries: 0,
    createdAt: timestamp(),
    updatedAt: timestamp(),
    ...duePublication(timestamp(), { id, targetAccountId }),
  };
  await write(...planPost(post));

  return post;
}

const read = async ({ organizationId, id }: ContentPost) =>
  (await get<ContentPost>(keys.contentPost(organizationId, id))) as ContentPost;

/** Takes the next step of the publisher or a person, until the thread is complete. */
async function step(post: ContentPost): Promise<void> {
  const { organizationId, id, state, phase } = post;
  if (state === 'SCHEDULED') {
    // The due index returns the post.
    expect([post.duePk, post.dueAt]).toEqual([
      expect.stringContaining('PUBLISH'),
      expect.any(String),
    ]);
    aheadMs += phase === undefined || phase === 'PREPARED' ? leaseMs + minuteMs : hourMs;
    await publishDuePost(organizationId, account.id, id);
  } else if (phase === 'UNCONFIRMED') {
    await reconcilePost(organizationId, id);
  } else {
    await changePost(organizationId, id, { scheduledAt: timestamp(minuteMs) });
  }
}

/** True when the text of each part is visible in order, as a reply to the previous part. */
function expectOrder(
  visible: ReturnType<typeof threadNetwork>['visible'],
  texts: readonly string[],
) {
  expect(visible.map(({ text }) => text)).toEqual(texts.slice(0, visible.length));
  expect(visible.map(({ replyTo }) => replyTo)).toEqual([
    ...(visible.length > 0 ? [undefined] : []),
    ...visible.slice(0, -1).map(({ id }) => id),
  ]);
}

/** Each is interrupted two to eight times. */
const runs = 80;

const troubles: readonly Trouble[] = ['lost', 'unsent', 'refused', 'down'];
const histories = fc.record({
  parts: fc.integer({ min: 2, max: 4 }),
  troubles: fc.array(fc.option(fc.constantFrom(...troubles), { nil: undefined, freq: 2 }), {
    maxLength: 4,
  }),
  deaths: fc.array(
    fc.record({
      at: fc.constant('a write' as const),
      nth: fc.integer({ min: 1, max: 6 }),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
    { minLength: 2, maxLength: 4 },
  ),
});

describe('a thread whose publishers crash and whose network fails', () => {
  it('is published completely, each part once and in order', async () => {
    let interruptions = 0;
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { visible, troubles: ofNetwork } = threadNetwork();
        ofNetwork.push(...history.troubles);
        const prefix = randomUUID();
        const texts = Array.from({ length: history.parts }, (_, part) => `${prefix} ${part}`);
        const { id } = await dueThread(texts);
        let post = await read({ id, organizationId: world.organizationId } as ContentPost);
        const pending: Death[] = [...history.deaths];
        for (let steps = 0; post.state !== 'PUBLISHED' && steps < 40; steps += 1) {
          const before = post;
          const death = pending.shift();
          const life = await untilDeath(death ?? { at: 'its answer' }, () => step(before)).catch(
            // A person's request can find the lease of a crashed process.
            (failure: { readonly kind?: string }) => {
              expect(failure.kind).toBe('conflict');
            },
          );
          interruptions += life?.hasDied ? 1 : 0;
          aheadMs += life?.hasDied || !life ? leaseMs + minuteMs : 0;
          expectOrder(visible, texts);
          post = await read(post);
        }

        expect(post).toMatchObject({ state: 'PUBLISHED', platformPostId: visible[0]?.id });
        expect(post.thread?.map(({ platformPostId }) => platformPostId)).toEqual(
          visible.slice(1).map((part) => part.id),
        );
        expect(visible).toHaveLength(history.parts);
        interruptions += history.troubles.filter(Boolean).length - ofNetwork.filter(Boolean).length;
      }),
      { numRuns: depth(runs), seed: 225 },
    );
    expect(interruptions).toBeGreaterThanOrEqual(depth(200));
  });
});
