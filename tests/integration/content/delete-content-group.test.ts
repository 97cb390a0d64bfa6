import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { listOf } from '#lib/platform/db/lists/shards.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { listContentPosts } from '#schemas/content.ts';
import {
  deleteContentGroup,
  getContentGroup,
  updateContentGroup,
} from '#schemas/content-groups.ts';
import { sandbox } from '#tests/support/mails.ts';
import {
  contentSetup,
  inAnHour,
  newGroup,
  ofGroup,
  readGroup,
  rejection,
  shownOn,
  textTargets,
} from './setup.ts';

const world = await contentSetup();

it('deleteContentGroup cancels drafts and scheduled posts, and removes the group', async () => {
  const { targets } = await textTargets(world, ['FACEBOOK', 'TWITTER']);
  const group = await newGroup(world, { content: 'Engines', scheduledAt: inAnHour(), targets });

  const { status, body } = await world.ask(deleteContentGroup, ofGroup(group));

  expect(status).toBe(200);
  expect(body.canceledPostIds).toEqual(group.posts.map(({ id }: { id: string }) => id));
  expect((await world.ask(getContentGroup, ofGroup(group))).status).toBe(404);
  expect((await world.ask(deleteContentGroup, ofGroup(group))).status).toBe(404);
  const listed = await world.ask(listContentPosts, { query: { groupId: group.id } });
  expect(listed.body.pagination.total).toBe(0);
});

it('deleteContentGroup keeps published posts and those with an unknown outcome, here and at the network', async () => {
  vi.stubEnv('NETWORK_TIMEOUT_MS', '1000');
  const { accounts, targets } = await textTargets(world, ['FACEBOOK', 'FACEBOOK', 'TWITTER']);
  const [refused, unknown] = accounts.map(({ platformUserId }) => `/${platformUserId}/feed`);
  const fault = { service: 'facebook', method: 'POST' } as const;
  await sandbox.addFault({ ...fault, path: refused, ...rejection });
  await sandbox.addFault({ ...fault, path: unknown, mode: 'hang-after' });
  const content = `Engines ${randomUUID()}`;
  const group = await newGroup(world, { content, targets });
  await sandbox.clearFaults();

  const { body } = await world.ask(deleteContentGroup, ofGroup(group));

  expect(body.canceledPostIds).toEqual([group.posts[0].id]);
  expect((await readGroup(world, group)).posts).toEqual(group.posts.slice(1));
  expect(await shownOn(accounts, content)).toEqual([0, 1, 1]);
});

it('deleteContentGroup returns 409, like PATCH, until all posts are in the lists', async () => {
  const { targets } = await textTargets(world, ['FACEBOOK']);
  const group = await newGroup(world, { content: 'Engines', draft: true, targets });
  const [{ id }] = group.posts;
  const staged = { list: listOf('stagedPost', id) };
  await write(change(keys.contentPost(world.organizationId, id), { set: staged }));

  const deleted = await world.ask(deleteContentGroup, ofGroup(group));
  const patched = await world.ask(updateContentGroup, { ...ofGroup(group), body: { tags: [] } });

  expect([deleted.status, patched.status]).toEqual([409, 409]);
  expect(deleted.body.message).toBe('The content group is still being created');
});
