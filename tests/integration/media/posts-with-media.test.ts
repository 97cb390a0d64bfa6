import { expect, it } from 'vitest';
import type { Media } from '#lib/features/media/media.ts';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { newId } from '#lib/platform/ids.ts';
import {
  createContentPost,
  deleteContentPost,
  getContentPost,
  preflightContentPost,
  updateContentPost,
} from '#schemas/content.ts';
import { deleteMedia } from '#schemas/media.ts';
import type { Platform } from '#schemas/platforms.ts';
import { storeMedia, storeUpload } from '#scripts/fixtures/media.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { overtake } from '#tests/support/overtake.ts';
import { mediaSetup } from './setup.ts';

async function postingWorld(platform: Platform = 'FACEBOOK') {
  const world = await mediaSetup();
  const { organizationId, ask } = world;
  const account = await connectedAccount(organizationId, { platform });
  const bodyWith = (mediaIds: readonly string[] | null, more: object = {}) => ({
    socialAccountId: account.id,
    platform,
    content: 'New engines are here',
    scheduledAt: timestamp(hourMs),
    mediaIds,
    ...more,
  });
  const post = (mediaIds: readonly string[] | null, more: object = {}) =>
    ask(createContentPost, { body: bodyWith(mediaIds, more) });
  const change = (id: string, body: object) =>
    ask(updateContentPost, { params: { post_id: id }, body });
  const remove = (id: string) => ask(deleteMedia, { params: { media_id: id } });
  const usesOf = async ({ id }: Media) =>
    (await get<Media>(keys.media(organizationId, id)))?.uses ?? 0;

  return { ...world, bodyWith, post, change, remove, usesOf };
}

it('a post shows its media, and media count the posts that use them', async () => {
  const { organizationId, post, usesOf, change, ask } = await postingWorld();
  const [one, other] = [await storeMedia(organizationId), await storeMedia(organizationId)];
  const { body } = await post([one.id, one.id]);
  expect(body.contentPost.mediaIds).toEqual([one.id, one.id]);
  const { id } = body.contentPost;
  const draft = (await post([one.id], { draft: true, scheduledAt: null })).body.contentPost;
  expect([await usesOf(one), await usesOf(other)]).toEqual([2, 0]);

  const changed = await change(id, { mediaIds: [other.id] });
  expect(changed.body.contentPost.mediaIds).toEqual([other.id]);
  expect([await usesOf(one), await usesOf(other)]).toEqual([1, 1]);
  await change(draft.id, { mediaIds: null });
  await ask(deleteContentPost, { params: { post_id: id } });
  expect([await usesOf(one), await usesOf(other)]).toEqual([0, 0]);
});

it('deleteMedia returns 409 with the posts for media that a draft or scheduled post uses', async () => {
  const { organizationId, post, remove, ask } = await postingWorld();
  const media = await storeMedia(organizationId);
  const scheduled = (await post([media.id])).body.contentPost;
  const draft = (await post([media.id], { draft: true, scheduledAt: null })).body.contentPost;
  await post(null);
  const answer = await remove(media.id);

  expect(answer.body).toMatchObject({
    statusCode: 409,
    message: 'Draft or scheduled posts use this media',
  });
  expect(answer.body.postIds.toSorted()).toEqual([scheduled.id, draft.id].toSorted());
  for (const { id } of [scheduled, draft]) {
    await ask(deleteContentPost, { params: { post_id: id } });
  }
  expect((await remove(media.id)).status).toBe(200);
});

it('of a concurrent post and deletion of its media, exactly one succeeds', async () => {
  const { organizationId, post, remove, ask } = await postingWorld();
  for (let round = 0; round < 8; round += 1) {
    const media = await storeMedia(organizationId);
    const [created, removed] = await Promise.all([post([media.id]), remove(media.id)]);

    expect([
      [201, 409],
      [404, 200],
    ]).toContainEqual([created.status, removed.status]);
    const id = created.body.contentPost?.id ?? newId();
    expect((await ask(getContentPost, { params: { post_id: id } })).status).toBe(
      created.status === 201 ? 200 : 404,
    );
  }
});

it('deleteMedia keeps media that a post starts to use between the check and the deletion', async () => {
  const { organizationId, post, remove } = await postingWorld();
  const media = await storeMedia(organizationId);
  const { answer: removed, other: created } = await overtake(
    { begin: () => remove(media.id) },
    () => post([media.id]),
  );

  expect([created.status, removed.status]).toEqual([201, 409]);
  expect(removed.body.postIds).toEqual([created.body.contentPost.id]);
});

it("createContentPost returns 404 for unknown media and another organization's, and 400 for media that are not READY", async () => {
  const { organizationId, post, bodyWith, ask } = await postingWorld();
  const other = await mediaSetup();
  const foreign = await storeMedia(other.organizationId);
  for (const id of [newId(), foreign.id]) {
    for (const answer of [
      await post([id]),
      await post([id], { draft: true, scheduledAt: null }),
      await ask(preflightContentPost, { body: bodyWith([id]) }),
    ]) {
      expect(answer.body).toMatchObject({
        statusCode: 404,
        message: "Media not found or you don't have access",
      });
    }
  }
  const ready = await storeMedia(organizationId);
  const upload = await storeUpload(organizationId);

  expect((await post([ready.id, upload.id])).body.message).toEqual([
    'mediaIds.1 must be READY, and is UPLOADING',
  ]);
});

it('createContentPost checks number, kind and type of media, also in preflight', async () => {
  const video = { kind: 'VIDEO', contentType: 'video/mp4' } as const;
  const image = { contentType: 'image/png' } as const;
  const cases = [
    ['YOUTUBE', [image], /^mediaIds\.0 must be of one of these kinds on YOUTUBE: video$/],
    ['INSTAGRAM', [image], /^mediaIds\.0 must be a JPEG image on INSTAGRAM, and is PNG$/],
    ['FACEBOOK', [video, image], /^mediaIds must be one video or only images/],
    ['TWITTER', Array(5).fill(image), /^mediaIds must contain no more than 4 elements on TWITTER/],
  ] as const;
  for (const [platform, kinds, message] of cases) {
    const { organizationId, post, bodyWith, ask } = await postingWorld(platform);
    const ids = [];
    for (const kind of kinds) {
      ids.push((await storeMedia(organizationId, kind)).id);
    }
    expect((await post(ids)).body.message[0]).toMatch(message);
    const { body } = await ask(preflightContentPost, { body: bodyWith(ids) });
    const check = body.preflight.checks.find(({ check }: { check: string }) => check === 'media');

    expect(check.problem).toMatch(message);
  }
});

it('createContentPost counts library media together with those of mediaUrls', async () => {
  const { organizationId, post } = await postingWorld('TWITTER');
  const { id } = await storeMedia(organizationId);
  const mediaUrls = Array.from({ length: 4 }, (_, index) => `https://192.0.2.1/${index}.jpg`);

  expect((await post([id], { mediaUrls })).body.message).toEqual([
    'mediaIds must contain no more than 4 elements on TWITTER',
  ]);
});
