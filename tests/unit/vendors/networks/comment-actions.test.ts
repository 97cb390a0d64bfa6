import { describe, expect, test } from 'vitest';
import { capabilities, commentCapability } from '#lib/vendors/networks/capabilities.ts';
import type { CommentAction, Credentials } from '#lib/vendors/networks/network.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';
import { networkOf } from '#tests/support/networks.ts';
import {
  callsOf,
  connect,
  connectBusiness,
  failureOf,
  received,
  sandbox,
  useSandbox,
} from './setup.ts';

useSandbox();

const actions = ['hide', 'unhide', 'like', 'unlike', 'delete'] as const;
const userId = '1111';

const all = platforms.flatMap((platform) => actions.map((action) => ({ platform, action })));
const isSupported = ({ platform, action }: (typeof all)[number]) =>
  capabilities[platform].supports[commentCapability(action)];

function credentialsOf(platform: Platform, owner = userId): Promise<Credentials> {
  return platform === 'TIKTOK' ? connectBusiness(owner) : connect(platform, owner);
}

/** Returns a customer's comment on a post of the account. */
async function commentOn(platform: Platform, owner = userId) {
  const network = sandbox.network(platform);
  const { id: postId } = await network.makePost({ userId: owner, text: 'New engines' });
  const from = { id: 'ada', name: 'Ada' };
  const said = { userId: owner, text: 'Hi', from, postId, deliveries: 0 };
  const sent = await network.sendEvent({ ...said, type: 'comment' });
  const [event] = sent.delivery ? networkOf(platform).parseEvents(received(sent).rawBody) : [];

  return {
    commentId: event?.messageId ?? sent.eventId,
    eventId: sent.eventId,
    platformPostId: event?.platformPostId,
  };
}

const before: Readonly<Record<CommentAction, CommentAction | undefined>> = {
  hide: undefined,
  unhide: 'hide',
  like: undefined,
  unlike: 'like',
  delete: undefined,
};
const after: Readonly<Record<CommentAction, object>> = {
  hide: { isHidden: true },
  unhide: { isHidden: false },
  like: { isLiked: true },
  unlike: { isLiked: false },
  delete: { isDeleted: true },
};

describe.each(all.filter(isSupported))('$action on $platform', ({ platform, action }) => {
  const network = networkOf(platform);

  test('changes the comment, and repeats without another effect', async () => {
    const credentials = await credentialsOf(platform);
    const target = await commentOn(platform);
    const first = before[action];
    if (first) {
      await network.actOnComment(credentials, first, target);
    }
    await network.actOnComment(credentials, action, target);
    const repeated = network.actOnComment(credentials, action, target);
    await (action === 'delete' ? failureOf(repeated) : repeated);

    const comments = await sandbox.network(platform).comments(userId);
    expect(comments.find(({ id }) => id === target.eventId)).toEqual(
      expect.objectContaining(after[action]),
    );
  });
});

// LinkedIn responds in the same way if the account never had a reaction.
const rejected = all
  .filter(isSupported)
  .filter(({ platform, action }) => platform !== 'LINKEDIN' || action !== 'unlike');

test.each(rejected)("$action on $platform rejects another account's comment", async (one) => {
  const { platform, action } = one;
  const credentials = await credentialsOf(platform);
  await credentialsOf(platform, '2222');
  const target = await commentOn(platform, '2222');

  expect(
    await failureOf(networkOf(platform).actOnComment(credentials, action, target)),
  ).toMatchObject({ platform, kind: expect.stringMatching(/^(refused|notFound|scopeMissing)$/) });
});

test.each(all.filter((one) => !isSupported(one)))(
  '$action is not supported on $platform, and calls nothing',
  async ({ platform, action }) => {
    const failure = await failureOf(
      networkOf(platform).actOnComment(await credentialsOf(platform), action, {
        commentId: 'comment-1',
      }),
    );

    expect(failure).toMatchObject({
      kind: 'badRequest',
      message: `${platform} does not support ${commentCapability(action)}`,
    });
    expect(await callsOf(platform)).toEqual([]);
  },
);

test('X needs its scope, and hides only replies to own posts', async () => {
  const target = await commentOn('TWITTER');
  const without = await connect('TWITTER', userId, ['tweet.read', 'users.read', 'tweet.write']);
  const hide = (by: Credentials, comment: typeof target) =>
    failureOf(networkOf('TWITTER').actOnComment(by, 'hide', comment));

  expect(await hide(without, target)).toMatchObject({ kind: 'scopeMissing' });
  await sandbox.network('TWITTER').sendEvent({
    userId,
    type: 'comment',
    text: 'Hi',
    from: { id: 'ada', name: 'Ada' },
    postId: '4711',
    deliveries: 0,
  });
  const foreign = (await sandbox.network('TWITTER').comments(userId)).at(-1);
  expect(
    await hide(await connect('TWITTER', userId), { ...target, commentId: foreign?.id ?? '' }),
  ).toMatchObject({ kind: 'refused' });
});

test('YouTube cannot publish a rejected comment again', async () => {
  const credentials = await connect('YOUTUBE', userId);
  const target = await commentOn('YOUTUBE');
  await networkOf('YOUTUBE').actOnComment(credentials, 'delete', target);

  expect(
    await failureOf(networkOf('YOUTUBE').actOnComment(credentials, 'unhide', target)),
  ).toMatchObject({ kind: 'notFound' });
});

test('TikTok rejects a hidden comment without its video', async () => {
  const credentials = await connectBusiness(userId);
  const { commentId } = await commentOn('TIKTOK');
  const hide = networkOf('TIKTOK').actOnComment(credentials, 'hide', { commentId });

  expect(await failureOf(hide)).toMatchObject({ kind: 'refused' });
});

test.each(platforms)(
  'the sandbox lists the comments of %s by the ids of their events',
  async (of) => {
    const network = sandbox.network(of);
    const { id: postId } = await network.makePost({ userId, text: 'New engines' });
    const from = { id: 'ada', name: 'Ada' };
    const said = { userId, type: 'comment', from, postId, deliveries: 0 } as const;
    const { eventId } = await network.sendEvent({ ...said, text: 'Hi' });
    await network.sendEvent({ ...said, text: 'Hello', echo: true });

    expect(await network.comments(userId)).toMatchObject([
      { id: eventId, postId, from, isOwn: false, text: 'Hi', isDeleted: false },
      { isOwn: true, text: 'Hello', isHidden: false, isLiked: false },
    ]);
  },
);
