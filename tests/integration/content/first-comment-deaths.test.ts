import { describe, expect, it } from 'vitest';
import { handler as contentPublish } from '#functions/jobs/content-publish.ts';
import { handler as contentPublishing } from '#functions/workers/content-publishing.ts';
import { duePublication } from '#lib/features/content/publishing/ownership.ts';
import { hourMs, minuteMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { reconcileContentPost } from '#schemas/content.ts';
import { workerDefinitions } from '#schemas/messages.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { type Death, deathsOf, untilDeath } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { sandbox } from '#tests/support/mails.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { drainWork, takeWork } from '#tests/support/work.ts';
import { bodyOn, clockOfTest, contentSetup } from './setup.ts';

const platforms = ['FACEBOOK', 'INSTAGRAM', 'LINKEDIN', 'YOUTUBE'] as const;
type Platform = (typeof platforms)[number];

const { timeoutSeconds } = workerDefinitions.contentPublish;
const clock = clockOfTest();

liftRateLimits();
const world = await contentSetup();

/** Publishes a post with a first comment, and kills the publisher at the given point. */
async function publish(platform: Platform, death: Death) {
  clock.aheadMs = 0;
  const { account, body } = await bodyOn(platform, world);
  const { organizationId } = world;
  const { id } = await world.newPost({
    ...body,
    firstComment: 'More in our shop',
    scheduledAt: timestamp(hourMs),
  });
  const due = duePublication(timestamp(), { id, targetAccountId: account.id });
  await write(change(keys.contentPost(organizationId, id), { set: due }));
  await contentPublish();
  const event = await takeWork('content-publishing');
  const run = () =>
    contentPublishing(structuredClone(event), lambdaContext(timeoutSeconds * secondMs));
  const { calls, writes } = await untilDeath(death, run);
  await run();
  for (let minutes = 0; minutes < 6; minutes += 1) {
    clock.aheadMs += minuteMs;
    await contentPublish();
    await drainWork('content-publishing');
  }
  const params = { post_id: id };
  const { contentPost: post } = (await world.ask(reconcileContentPost, { params })).body;
  const comments = await sandbox.network(platform).replies(account.platformUserId);
  const task = await get(keys.firstComment(organizationId, id));

  return { post, comments, task, calls, writes };
}

describe.each(platforms)('crashes while commenting on an own post on %s', (platform) => {
  it('leave at most one comment, whose outcome is finally known', async () => {
    const usual = await publish(platform, { at: 'its answer' });
    expect(usual.post).toMatchObject({ status: 'PUBLISHED', firstComment: { status: 'SENT' } });
    const last = <Kind extends 'a write' | 'a call'>(times: number, kind: Kind, many: number) =>
      deathsOf(times, Number.POSITIVE_INFINITY, kind).slice(-many);

    for (const death of [
      ...last(usual.calls, 'a call', depth(2, Number.POSITIVE_INFINITY)),
      ...last(usual.writes, 'a write', depth(4, Number.POSITIVE_INFINITY)),
    ]) {
      const { post, comments, task } = await publish(platform, death);
      const how = JSON.stringify([death, post]);
      expect.soft(comments.length, how).toBeLessThanOrEqual(1);
      if (post.status === 'PUBLISHED') {
        const isSent = post.firstComment.status === 'SENT';
        expect.soft(post.firstComment.status, how).toMatch(/^(SENT|FAILED)$/);
        expect
          .soft(
            comments.map(({ id }) => id),
            how,
          )
          .toEqual(isSent ? [post.firstComment.platformCommentId] : []);
        expect.soft(task, how).toBeUndefined();
      } else {
        expect.soft(post.firstComment.status, how).toBe('PENDING');
        expect.soft(comments, how).toEqual([]);
      }
    }
  });
});
