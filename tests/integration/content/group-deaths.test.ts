import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { handler as contentPublish } from '#functions/jobs/content-publish.ts';
import { handler as contentPublishing } from '#functions/workers/content-publishing.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '#lib/platform/clock.ts';
import { listContentPosts } from '#schemas/content.ts';
import { createContentGroup } from '#schemas/content-groups.ts';
import { workerDefinitions } from '#schemas/messages.ts';
import { platforms } from '#schemas/platforms.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { type Death, deathsOf, untilDeath } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { drainWork, takeWork } from '#tests/support/work.ts';
import { allowLocalMedia, clockOfTest, compositionOnAll, contentSetup, shownOn } from './setup.ts';

const { timeoutSeconds } = workerDefinitions.contentPublish;
const noDeath: Death = { at: 'its answer' };
const clock = clockOfTest();

liftRateLimits();
const world = await contentSetup();

beforeEach(() => {
  allowLocalMedia();
});

type Options = {
  /** The point at which the first run of the publisher crashes. */
  readonly publisherDeath?: Death;
  /** Repeats the request after the crash, like a client without a response. */
  readonly isRepeated?: boolean;
};

/** Sends a composition for all networks, crashes the request, and makes the publisher continue. */
async function publish(death: Death, { publisherDeath, isRepeated = false }: Options = {}) {
  // In the past, so that the networks' times are later than the service's times.
  clock.aheadMs = -hourMs;
  const { accounts, body } = await compositionOnAll(world);
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => world.ask(createContentGroup, { body, headers });
  const request = await untilDeath(death, send);
  clock.aheadMs += minuteMs;
  await request.setFree();
  const repetition = isRepeated ? await send() : undefined;
  await contentPublish();
  const event = await takeWork('content-publishing');
  const publisher = await untilDeath(publisherDeath ?? noDeath, () =>
    contentPublishing(event, lambdaContext(timeoutSeconds * secondMs)),
  );
  // A post that a network has not finished processing after a day counts as unknown.
  for (const passedMs of [...Array<number>(6).fill(minuteMs), dayMs]) {
    clock.aheadMs += passedMs;
    await contentPublish();
    await drainWork('content-publishing');
  }
  const posts = await Promise.all(
    accounts.map(async ({ id: socialAccountId }) => {
      const { body: listed } = await world.ask(listContentPosts, { query: { socialAccountId } });

      return listed.contentPosts;
    }),
  );

  return { request, publisher, repetition, posts, shown: await shownOn(accounts, body.content) };
}

type Published = Awaited<ReturnType<typeof publish>>;

/** How often a network may show a post, by the post's state. */
const allowed: Readonly<Record<string, readonly number[]>> = {
  PUBLISHED: [1],
  NOT_PUBLISHED: [0],
  OUTCOME_UNKNOWN: [0, 1],
};

/** Expects one post for every target, whose state matches the network. */
function expectWhole({ posts, shown }: Published, how: string): void {
  for (const [index, platform] of platforms.entries()) {
    const [post, ...others] = posts[index];
    const said = post?.failureCode ?? post?.status;
    expect.soft(others, `${platform} ${how}`).toEqual([]);
    expect.soft(allowed[said], `${platform} ${said} ${how}`).toContain(shown[index]);
  }
}

const bothKinds = (lived: { readonly writes: number; readonly calls: number }, most: number) => [
  ...deathsOf(lived.writes, most),
  ...deathsOf(lived.calls, most, 'a call'),
];

it('createContentGroup publishes every target once or reports it as unknown, wherever the request crashes', async () => {
  const usual = await publish(noDeath);
  expectWhole(usual, 'without a crash');
  expect(usual.posts.flat().map(({ status }) => status)).toEqual(platforms.map(() => 'PUBLISHED'));

  for (const [index, death] of bothKinds(
    usual.request,
    depth(2, Number.POSITIVE_INFINITY),
  ).entries()) {
    const isRepeated = index % 2 === 1;
    const crashed = await publish(death, { isRepeated });
    const how = JSON.stringify(death);
    expect.soft(crashed.request.hasDied, how).toBe(true);
    expect.soft(crashed.repetition?.status ?? 201, how).toBe(201);
    if (isRepeated || crashed.posts.flat().length > 0) {
      expectWhole(crashed, how);
    } else {
      expect.soft(crashed.shown, how).toEqual(platforms.map(() => 0));
    }
  }
});

it('the publisher that continues a crashed createContentGroup publishes every target once, wherever it crashes', async () => {
  // The first write counts the paid calls of the check on X, and the second one creates the group.
  const afterGroup = { at: 'a write', nth: 2, when: 'after' } as const;
  const usual = await publish(afterGroup);
  expectWhole(usual, 'without a crash of the publisher');
  expect(usual.posts.flat().map(({ status }) => status)).toEqual(platforms.map(() => 'PUBLISHED'));

  for (const publisherDeath of bothKinds(usual.publisher, depth(3, Number.POSITIVE_INFINITY))) {
    expectWhole(await publish(afterGroup, { publisherDeath }), JSON.stringify(publisherDeath));
  }
});

it('createContentGroup returns the same group if it is repeated with its Idempotency-Key', async () => {
  clock.aheadMs = 0;
  const { accounts, body } = await compositionOnAll(world);
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => world.ask(createContentGroup, { body, headers });
  const first = await untilDeath(noDeath, send);
  await first.setFree();

  const second = await send();

  expect(second.body).toEqual(first.result?.body);
  expect((await shownOn(accounts, body.content)).every((times) => times <= 1)).toBe(true);
});
