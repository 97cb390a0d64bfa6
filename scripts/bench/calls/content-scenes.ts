import { randomUUID } from 'node:crypto';
import { duePublication } from '#lib/features/content/publishing/ownership.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import * as content from '#schemas/content.ts';
import * as groups from '#schemas/content-groups.ts';
import * as contentSlots from '#schemas/content-slots.ts';
import type { Contract } from '#schemas/contract.ts';
import type { Call } from './gateway-event.ts';
import { callOf, type Scene } from './scene.ts';
import { addSocialAccount } from './social-scenes.ts';

/** A typical post, scheduled far in the future. */
function scheduledPost(socialAccountId: string) {
  return {
    socialAccountId,
    platform: 'FACEBOOK',
    content: 'New engines are here: come and see how they add, subtract and print.',
    scheduledAt: '2035-01-15T09:30:00.000Z',
    tags: ['engines', 'spring'],
    keyword: randomUUID(),
  };
}

/** The same for three accounts. */
function scheduledGroup(accountIds: readonly string[]) {
  return {
    content: 'New engines are here: come and see how they add, subtract and print.',
    scheduledAt: '2035-01-15T09:30:00.000Z',
    tags: ['engines', 'spring'],
    targets: accountIds.map((socialAccountId) => ({ socialAccountId })),
  };
}

/** A call in an organization with three accounts and a composition for them. */
function groupCall(
  contract: Contract,
  prepare: (group: { readonly id: string; readonly accountIds: readonly string[] }) => Call,
): Scene {
  return callOf(contract, async (world) => {
    const { token, organizationId } = await world.newAccount();
    const params = { organization_id: organizationId };
    const accounts = await Promise.all(
      [1, 2, 3].map(() => addSocialAccount(world, organizationId)),
    );
    const accountIds = accounts.map(({ id }) => id);
    const body = scheduledGroup(accountIds);
    const { group } = await world.call(groups.createContentGroup, { token, params, body });
    const call = prepare({ id: group.id, accountIds });

    return { ...call, token, params: { ...params, ...call.params } };
  });
}

const ofGroup = ({ id }: { readonly id: string }): Call => ({ params: { group_id: id } });

type Office = { readonly accountId: string; readonly postId: string };

/** A call in an organization with an account and a scheduled post. */
function contentCall(contract: Contract, prepare: (office: Office) => Call = () => ({})): Scene {
  return callOf(contract, async (world) => {
    const { token, organizationId } = await world.newAccount();
    const params = { organization_id: organizationId };
    const { id: accountId } = await addSocialAccount(world, organizationId);
    const { contentPost } = await world.call(content.createContentPost, {
      token,
      params,
      body: scheduledPost(accountId),
    });
    const call = prepare({ accountId, postId: contentPost.id });

    return { ...call, token, params: { ...params, ...call.params } };
  });
}

const ofPost = ({ postId }: Office): Call => ({ params: { post_id: postId } });

/** Three slots a week for one account, and one for every account. */
function weeklySlots(socialAccountId: string) {
  return {
    timezone: 'Europe/Berlin',
    slots: [
      ...[1, 3, 5].map((weekday) => ({ weekday, time: '09:30', socialAccountId })),
      { weekday: 7, time: '18:00', socialAccountId: null },
    ],
  };
}

/** A call in an organization with an account, a scheduled post and weekly slots. */
function slotCall(contract: Contract, prepare: (office: Office) => Call = () => ({})): Scene {
  return callOf(contract, async (world) => {
    const { token, organizationId } = await world.newAccount();
    const params = { organization_id: organizationId };
    const { id: accountId } = await addSocialAccount(world, organizationId);
    const { contentPost } = await world.call(content.createContentPost, {
      token,
      params,
      body: scheduledPost(accountId),
    });
    const body = weeklySlots(accountId);
    await world.call(contentSlots.updatePostingSlots, { token, params, body });

    return { ...prepare({ accountId, postId: contentPost.id }), token, params };
  });
}

export const contentScenes: Readonly<Record<string, Scene>> = {
  'create-content-post': contentCall(content.createContentPost, ({ accountId }) => ({
    body: scheduledPost(accountId),
  })),
  'preflight-content-post': contentCall(content.preflightContentPost, ({ accountId }) => ({
    body: scheduledPost(accountId),
  })),
  'list-content-posts': contentCall(content.listContentPosts),
  'get-content-post': contentCall(content.getContentPost, ofPost),
  'update-content-post': contentCall(content.updateContentPost, (office) => ({
    ...ofPost(office),
    body: { content: 'Newer engines are here.' },
  })),
  'create-content-group': groupCall(groups.createContentGroup, ({ accountIds }) => ({
    body: scheduledGroup(accountIds),
  })),
  'get-content-group': groupCall(groups.getContentGroup, ofGroup),
  'update-content-group': groupCall(groups.updateContentGroup, (group) => ({
    ...ofGroup(group),
    body: { content: 'Newer engines are here.' },
  })),
  'delete-content-group': groupCall(groups.deleteContentGroup, ofGroup),
  'delete-content-post': contentCall(content.deleteContentPost, ofPost),
  'reconcile-content-post': contentCall(content.reconcileContentPost, (office) => ({
    ...ofPost(office),
    body: {},
  })),
  'get-content-analytics': contentCall(content.getContentAnalytics),
  'get-content-performance': contentCall(content.getContentPerformance, ofPost),
  'get-posting-slots': slotCall(contentSlots.getPostingSlots),
  'update-posting-slots': slotCall(contentSlots.updatePostingSlots, ({ accountId }) => ({
    body: weeklySlots(accountId),
  })),
  'get-next-posting-slot': slotCall(contentSlots.getNextPostingSlot, ({ accountId }) => ({
    query: { socialAccountId: accountId },
  })),
  'renew-calendar-feed': contentCall(content.renewCalendarFeed, () => ({ body: {} })),
  'get-calendar-feed': callOf(content.getCalendarFeed, async (world) => {
    const { token, organizationId } = await world.newAccount();
    const params = { organization_id: organizationId };
    const { calendar } = await world.call(content.renewCalendarFeed, { token, params, body: {} });
    const feedToken = new URL(calendar.url).searchParams.get('token') ?? '';

    return { params, query: { token: feedToken } };
  }),
  // Nothing is due. The job runs every minute and usually finds nothing.
  'content-publish': async () => ({}),
  // One post is due.
  'content-publishing': async (world) => {
    const { token, organizationId } = await world.newAccount();
    const { id: accountId } = await addSocialAccount(world, organizationId);
    const { contentPost } = await world.call(content.createContentPost, {
      token,
      params: { organization_id: organizationId },
      body: scheduledPost(accountId),
    });
    const key = keys.contentPost(organizationId, contentPost.id);
    const post = { id: contentPost.id, targetAccountId: accountId };
    await write(change(key, { set: duePublication(timestamp(), post) }));
    await world.queues.drain();
    const completeAt = timestamp();
    const round = { organizationId, accountId, postIds: [contentPost.id], completeAt };
    const work = planWork('contentPublish', {
      owner: keys.organization(organizationId),
      workId: accountId,
      payload: round,
    });
    await write(work);

    return world.queues.takeEvent('content-publishing');
  },
};
