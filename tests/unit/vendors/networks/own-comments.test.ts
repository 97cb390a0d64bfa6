import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { networkOf } from '#tests/support/networks.ts';
import { connect, failureOf, sandbox, useSandbox } from './setup.ts';

useSandbox();

const platforms = ['FACEBOOK', 'INSTAGRAM', 'LINKEDIN', 'YOUTUBE'] as const;
const text = 'Prices are in our shop';

describe.each(platforms)('a comment on an own post on %s', (platform) => {
  const network = networkOf(platform);

  test('is found by its author and text, after the comments of others', async () => {
    const credentials = await connect(platform, '4711');
    const { id: platformPostId } = await sandbox
      .network(platform)
      .makePost({ userId: '4711', text: `Engines ${randomUUID()}`, at: new Date().toISOString() });
    const comment = { platformPostId, text };
    const customer = { id: 'customer-1', name: 'Charles' };
    const say = () =>
      sandbox.network(platform).sendEvent({
        userId: '4711',
        type: 'comment',
        text,
        from: customer,
        postId: platformPostId,
        deliveries: 0,
      });
    await say();

    expect(await network.findOwnComment?.(credentials, comment)).toEqual({ state: 'absent' });
    const sent = await network.commentOnPost?.(credentials, comment);
    for (let others = 0; others < 101; others += 1) {
      await say();
    }
    expect(await network.findOwnComment?.(credentials, comment)).toEqual({
      state: 'found',
      id: sent?.id,
    });
    const other = { platformPostId, text: 'Something else' };
    expect(await network.findOwnComment?.(credentials, other)).toEqual({ state: 'absent' });
  });

  test('is rejected on a post that does not exist', async () => {
    const credentials = await connect(platform, '4711');
    const call = network.commentOnPost?.(credentials, { platformPostId: '1234567890', text });

    expect(await failureOf(call as Promise<unknown>)).toMatchObject({ kind: 'notFound' });
  });
});
