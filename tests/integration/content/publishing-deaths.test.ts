import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as contentPublish } from '#functions/jobs/content-publish.ts';
import { handler as contentPublishing } from '#functions/workers/content-publishing.ts';
import { duePublication } from '#lib/features/content/publishing/ownership.ts';
import { hourMs, minuteMs, secondMs, setPause, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { workerDefinitions } from '#schemas/messages.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';
import { storeMedia } from '#scripts/fixtures/media.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { type Death, deathsOf, untilDeath } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { sandbox } from '#tests/support/mails.ts';
import { mp4 } from '#tests/support/media-files.ts';
import { startLater } from '#tests/support/own-table.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { drainWork, takeWork } from '#tests/support/work.ts';
import { mediaAt } from '../../unit/vendors/networks/local-servers.ts';
import { bodyOn, clockOfTest, contentSetup } from './setup.ts';

const { timeoutSeconds } = workerDefinitions.contentPublish;
const clock = clockOfTest();

liftRateLimits();
const world = await contentSetup();

type Details = () => Promise<Readonly<Record<string, unknown>>>;

/** Publishes a post, kills the publisher at the given point, and redelivers the message. */
async function publish(platform: Platform, death: Death, details: Details = async () => ({})) {
  // The post is now due by the networks' clock too, because they report the publication time.
  clock.aheadMs = 0;
  const { account, body } = await bodyOn(platform, world);
  const { id } = await world.newPost({
    ...body,
    ...(await details()),
    scheduledAt: timestamp(hourMs),
  });
  const due = duePublication(timestamp(), { id, targetAccountId: account.id });
  await write(change(keys.contentPost(world.organizationId, id), { set: due }));
  await startLater(contentPublish);
  const event = await takeWork('content-publishing');
  const run = () =>
    contentPublishing(structuredClone(event), lambdaContext(timeoutSeconds * secondMs));
  const { calls, writes } = await untilDeath(death, run);
  await run();
  for (let minutes = 0; minutes < 6; minutes += 1) {
    clock.aheadMs += minuteMs;
    await startLater(contentPublish);
    await drainWork('content-publishing');
  }
  const onNetwork = await sandbox.network(platform).posts(account.platformUserId);

  return { post: await world.readPost(id), onNetwork, calls, writes };
}

/**
 * Publishes with crashes at different points, and returns the network's posts after each of them.
 */
async function publishOnceDespiteCrashes(platform: Platform, crashes: number, details?: Details) {
  const usual = await publish(platform, { at: 'its answer' }, details);
  expect(usual.post).toMatchObject({ status: 'PUBLISHED' });
  expect(usual.calls).toBeGreaterThan(0);
  const outcomes = [];

  for (const death of [
    ...deathsOf(usual.calls, crashes, 'a call'),
    ...deathsOf(usual.writes, crashes),
  ]) {
    const { post, onNetwork } = await publish(platform, death, details);
    const how = JSON.stringify(death);
    if (post.status === 'PUBLISHED') {
      expect.soft([post.platformPostId, onNetwork.length], how).toEqual([expect.any(String), 1]);
    } else {
      expect.soft(post, how).toMatchObject({ status: 'FAILED', failureCode: 'OUTCOME_UNKNOWN' });
      expect.soft(onNetwork.length, how).toBeLessThanOrEqual(1);
    }
    outcomes.push({ how, post, onNetwork });
  }

  return outcomes;
}

describe.each(platforms)('crashes while publishing on %s', (platform) => {
  it('publish a post once or report an unknown outcome, wherever the publisher crashes', () =>
    publishOnceDespiteCrashes(platform, depth(2, Number.POSITIVE_INFINITY)));
});

const image = 'https://example.com/engine.jpg';
const filmBytes = Buffer.alloc(2_000, 7);

describe('crashes while publishing', () => {
  beforeEach(() => {
    // The networks' clock stays behind by less than the difference that adapters allow.
    setPause(async () => {
      clock.aheadMs += secondMs / 2;
    });
  });

  it.each([
    ['FACEBOOK', 'REEL', 'video'],
    ['FACEBOOK', 'STORY', 'video'],
    ['FACEBOOK', 'STORY', 'image'],
    ['INSTAGRAM', 'REEL', 'video'],
    ['INSTAGRAM', 'STORY', 'video'],
  ] as const)(
    'on %s publish a %s of one %s once, and find it',
    async (platform, postType, kind) => {
      const outcomes = await publishOnceDespiteCrashes(
        platform,
        depth(2, Number.POSITIVE_INFINITY),
        async () => ({
          mediaUrls: [kind === 'image' ? image : await mediaAt('video/mp4', filmBytes)],
          settings: { postType },
        }),
      );

      for (const { how, post, onNetwork } of outcomes) {
        // Both networks report whether an upload, a photo or a container was published.
        expect
          .soft([post.platformPostId].filter(Boolean), how)
          .toEqual(onNetwork.map(({ id }) => id));
        expect
          .soft(onNetwork, how)
          .toEqual(onNetwork.map(() => expect.objectContaining({ kind: postType })));
      }
    },
  );

  it('on YOUTUBE publish a video once, with its thumbnail', async () => {
    const { organizationId } = world;
    const [thumbnail, film] = await Promise.all([
      storeMedia(organizationId),
      storeMedia(organizationId, { kind: 'VIDEO', contentType: 'video/mp4' }, mp4({})),
    ]);
    const outcomes = await publishOnceDespiteCrashes(
      'YOUTUBE',
      depth(2, Number.POSITIVE_INFINITY),
      async () => {
        vi.stubEnv('WEBHOOK_ALLOWED_ORIGINS', String(process.env.S3_ENDPOINT));

        return {
          mediaUrls: [],
          mediaIds: [film.id],
          settings: { thumbnailMediaId: thumbnail.id },
        };
      },
    );

    for (const { how, onNetwork } of outcomes) {
      const withThumbnail = expect.objectContaining({ thumbnail: expect.anything() });
      expect
        .soft(onNetwork, how)
        .toEqual(onNetwork.map(() => expect.objectContaining({ settings: withThumbnail })));
    }
    expect(outcomes.some(({ onNetwork }) => onNetwork.length === 1)).toBe(true);
  });
});
