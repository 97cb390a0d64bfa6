import { randomUUID } from 'node:crypto';
import { createContentPost, renewCalendarFeed } from '#schemas/content.ts';
import { createContentGroup } from '#schemas/content-groups.ts';
import { call } from '#tests/support/api.ts';
import { connectedAccount } from '#tests/support/content.ts';
import { storeMedia } from '#tests/support/media.ts';
import type { Fixtures } from './fixture.ts';
import type { World } from './world.ts';

async function mediaBody({ organizationId }: Pick<World, 'organizationId'>) {
  return { mediaIds: [(await storeMedia(organizationId)).id] };
}

async function postBody({ organizationId, names }: World) {
  const account = await connectedAccount(organizationId, { platformUserName: names[0] ?? '' });

  return {
    socialAccountId: account.id,
    platform: account.platform,
    content: names[0] ?? '',
    keyword: randomUUID(),
    // Facebook has no threads.
    thread: null,
    ...(await mediaBody({ organizationId })),
  };
}

export async function newPostId(world: World): Promise<string> {
  const { organizationId, people } = world;
  const created = await call(createContentPost, {
    token: people.OWNER.token,
    params: { organization_id: organizationId },
    body: { ...(await postBody(world)), scheduledAt: '2035-01-15T09:30:00Z' },
  });

  return created.body.contentPost.id;
}

async function groupBody(world: World) {
  const { organizationId, names } = world;
  const account = await connectedAccount(organizationId, { platformUserName: names[0] ?? '' });

  return {
    content: names[0] ?? '',
    ...(await mediaBody(world)),
    targets: [{ socialAccountId: account.id, content: names[0] ?? '' }],
  };
}

async function newGroupId(world: World): Promise<string> {
  const { organizationId, people } = world;
  const created = await call(createContentGroup, {
    token: people.OWNER.token,
    params: { organization_id: organizationId },
    body: { ...(await groupBody(world)), scheduledAt: '2035-01-15T09:30:00Z' },
  });

  return created.body.group.id;
}

const aGroup: Fixtures[string] = {
  params: async (world) => ({ group_id: await newGroupId(world) }),
};

async function feedToken({ organizationId, people }: World): Promise<string> {
  const renewed = await call(renewCalendarFeed, {
    token: people.OWNER.token,
    params: { organization_id: organizationId },
    body: {},
  });

  return new URL(renewed.body.calendar.url).searchParams.get('token') ?? '';
}

const aPost: Fixtures[string] = {
  params: async (world) => ({ post_id: await newPostId(world) }),
};

async function accountId({ organizationId }: World): Promise<string> {
  return (await connectedAccount(organizationId)).id;
}

export const contentFixtures: Fixtures = {
  createContentPost: { body: postBody },
  preflightContentPost: { body: postBody },
  getContentPost: aPost,
  updateContentPost: { ...aPost, body: mediaBody },
  deleteContentPost: aPost,
  reconcileContentPost: aPost,
  getContentPerformance: aPost,
  createContentGroup: { body: groupBody },
  getContentGroup: aGroup,
  updateContentGroup: aGroup,
  deleteContentGroup: aGroup,
  updatePostingSlots: {
    body: async (world) => ({
      slots: [{ weekday: 1, time: '09:30', socialAccountId: await accountId(world) }],
    }),
  },
  getNextPostingSlot: { query: async (world) => ({ socialAccountId: await accountId(world) }) },
  getCalendarFeed: { query: async (world) => ({ token: await feedToken(world) }) },
};
