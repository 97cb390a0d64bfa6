import { expect, it } from 'vitest';
import { deleteContentPost } from '#schemas/content.ts';
import { getContentGroup } from '#schemas/content-groups.ts';
import { contentSetup, inAnHour, newGroup, ofGroup, readGroup, textTargets } from './setup.ts';

const world = await contentSetup();

async function twoScheduled() {
  const { targets } = await textTargets(world, ['FACEBOOK', 'TWITTER']);

  return newGroup(world, { content: 'Engines', scheduledAt: inAnHour(), targets });
}

it('getContentGroup returns the posts in the order of the targets, with their accounts', async () => {
  const group = await twoScheduled();

  expect(await readGroup(world, group)).toEqual(group);
  expect(group.posts).toMatchObject([
    { platform: 'FACEBOOK', socialAccount: { platform: 'FACEBOOK' }, status: 'SCHEDULED' },
    { platform: 'TWITTER', socialAccount: { platform: 'TWITTER' }, status: 'SCHEDULED' },
  ]);
});

it('getContentGroup omits deleted posts, and returns 404 if all are deleted', async () => {
  const group = await twoScheduled();
  const remove = ({ id }: { readonly id: string }) =>
    world.ask(deleteContentPost, { params: { post_id: id } });
  await remove(group.posts[0]);

  expect((await readGroup(world, group)).posts).toEqual([group.posts[1]]);
  await remove(group.posts[1]);
  const gone = await world.ask(getContentGroup, ofGroup(group));
  expect([gone.status, gone.body.message]).toEqual([
    404,
    expect.stringMatching(/^Content group not found/),
  ]);
});
