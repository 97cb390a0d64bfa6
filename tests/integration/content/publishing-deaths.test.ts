// In a process of its own: it listens to the DynamoDB client and to requests to the networks
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as contentPublish } from '#functions/jobs/content-publish.ts';
import { handler as contentPublishing } from '#functions/workers/content-publishing.ts';
import { duePublication } from '#lib/features/content/publishing/ownership.ts';
import { hourMs, minuteMs, secondMs, setClock, setPause, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { workerDefinitions } from '#schemas/messages.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { type Death, deathsOf, untilDeath } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { sandbox } from '#tests/support/mails.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { drainWork, takeWork } from '#tests/support/work.ts';
import { bodyOn, type ContentWorld, contentWorld } from './world.ts';

const { timeoutSeconds } = workerDefinitions.contentPublish;
let world: ContentWorld;
let aheadMs = 0;

beforeAll(async () => {
  liftRateLimits();
  world = await contentWorld();
});

beforeEach(() => {
  setClock(() => Date.now() + aheadMs);
  setPause(async (ms) => {
    aheadMs += ms;
  });
});

afterEach(() => {
  setClock();
  setPause();
});

/** Publishes a post, kills the publisher at the given point, and redelivers the message. */
async function publish(platform: Platform, death: Death) {
  // The post is due now by the networks' clock too, because they report the publication time.
  aheadMs = 0;
  const { account, body } = await bodyOn(platform, world);
  const { id } = await world.newPost({ ...body, scheduledAt: timestamp(hourMs) });
  const due = duePublication(timestamp(), { id, targetAccountId: account.id });
  await write(change(keys.contentPost(world.organizationId, id), { set: due }));
  await contentPublish();
  const event = await takeWork('content-publishing');
  const run = () =>
    contentPublishing(structuredClone(event), lambdaContext(timeoutSeconds * secondMs));
  const { calls, writes } = await untilDeath(death, run);
  await run();
  for (let minutes = 0; minutes < 6; minutes += 1) {
    aheadMs += minuteMs;
    await contentPublish();
    await drainWork('content-publishing');
  }
  const onNetwork = await sandbox.network(platform).posts(account.platformUserId);

  return { post: await world.readPost(id), onNetwork, calls, writes };
}

describe.each(platforms)('crashes while publishing on %s', (platform) => {
  it('publish a post once or report an unknown outcome, wherever the publisher crashes', async () => {
    const usual = await publish(platform, { at: 'its answer' });
    expect(usual.post).toMatchObject({ status: 'PUBLISHED' });
    expect(usual.calls).toBeGreaterThan(0);

    for (const death of [
      ...deathsOf(usual.calls, depth(4), 'a call'),
      ...deathsOf(usual.writes, depth(4)),
    ]) {
      const { post, onNetwork } = await publish(platform, death);
      const how = JSON.stringify(death);
      if (post.status === 'PUBLISHED') {
        expect.soft([post.platformPostId, onNetwork.length], how).toEqual([expect.any(String), 1]);
      } else {
        expect.soft(post, how).toMatchObject({ status: 'FAILED', failureCode: 'OUTCOME_UNKNOWN' });
        expect.soft(onNetwork.length, how).toBeLessThanOrEqual(1);
      }
    }
  });
});
