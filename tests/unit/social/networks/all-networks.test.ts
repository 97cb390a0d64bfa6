// In a process of its own: the adapters are loaded with addresses of their own
import { describe, expect, test } from 'vitest';
import type { Credentials, Network } from '#lib/social/networks/network.ts';
import { platforms } from '#schemas/platforms.ts';
import { callsOf, connect, failureOf, received, sandbox } from './adapter-world.ts';

const { capabilities } = await import('#lib/social/networks/capabilities.ts');
const { networkOf } = await import('#lib/social/networks/networks.ts');

const message = { to: 'customer-1', text: 'Hi', echoTag: 'tag' };
const reply = { commentId: 'comment-1', text: 'Hi', echoTag: 'tag' };

/** The calls that a network may not have, by the capability that they need. */
const calls = {
  deletePost: (network: Network, by: Credentials) => network.deletePost(by, 'post-1'),
  directMessage: (network: Network, by: Credentials) => network.sendDirectMessage(by, message),
  commentReply: (network: Network, by: Credentials) => network.replyToComment(by, reply),
  privateReply: (network: Network, by: Credentials) => network.privateReply(by, reply),
  tokenRefresh: (network: Network, by: Credentials) => network.refreshToken(by),
  webhookSubscription: (network: Network, by: Credentials) =>
    network.subscribe(by, 'https://example.com/webhooks'),
};
const names = Object.keys(calls) as readonly (keyof typeof calls)[];
const missing = platforms.flatMap((platform) =>
  names
    .filter((name) => !capabilities[platform].supports[name])
    .map((name) => ({ platform, name })),
);

describe('what a network does not have', () => {
  test('some have not all', () => {
    expect(missing).toContainEqual({ platform: 'TIKTOK', name: 'deletePost' });
    expect(missing).toContainEqual({ platform: 'LINKEDIN', name: 'directMessage' });
  });

  test.each(missing)(
    '$platform refuses $name by name, and is not called',
    async ({ platform, name }) => {
      const by = { platformUserId: 'account-1', accessToken: 'token' };
      const call = calls[name];

      expect(await failureOf((async () => call(networkOf(platform), by))())).toMatchObject({
        kind: 'badRequest',
        message: `${platform} does not support ${name}`,
      });
      expect(await callsOf(platform)).toEqual([]);
    },
  );
});

describe.each(platforms)('%s', (platform) => {
  const network = networkOf(platform);

  test('knows its own accounts by their token, until it is revoked', async () => {
    const credentials = await connect(platform, '4711');

    expect((await network.validateToken(credentials)).platformUserIds).toContain('4711');
    await sandbox.network(platform).revokeTokens(credentials.accessToken);
    expect(await failureOf(network.validateToken(credentials))).toMatchObject({
      platform,
      kind: 'tokenInvalid',
    });
  });

  test('is unavailable while it is down, and while it closes the connection on a read', async () => {
    const credentials = await connect(platform, '4711');
    const service = platform.toLowerCase();

    for (const mode of ['down', 'refuse'] as const) {
      const { id } = await sandbox.addFault({ service, mode });
      expect(await failureOf(network.listRecentPosts(credentials))).toMatchObject({
        kind: 'unavailable',
      });
      await sandbox.endFault(id);
    }
    expect(await network.listRecentPosts(credentials)).toEqual([]);
  });

  test('is left alone for a while after five outages, and not for what it refuses', async () => {
    const credentials = await connect(platform, '4711');
    const dead = { ...credentials, accessToken: 'dead' };
    for (let refusal = 1; refusal <= 6; refusal += 1) {
      await failureOf(network.validateToken(dead));
    }
    await network.validateToken(credentials);
    await sandbox.addFault({ service: platform.toLowerCase(), mode: 'down' });
    for (let outage = 1; outage <= 5; outage += 1) {
      await failureOf(network.listRecentPosts(credentials));
    }
    const before = await callsOf(platform);

    expect(await failureOf(network.listRecentPosts(credentials))).toMatchObject({
      kind: 'unavailable',
      isTransient: true,
      cause: { name: 'CircuitOpen' },
    });
    expect(await callsOf(platform)).toEqual(before);
  });

  test('lists pages and figures of an account that has done nothing yet', async () => {
    const credentials = await connect(platform, '4711');
    const figures = await network.fetchAccountFigures(credentials);

    expect(await network.listPages(credentials)).not.toEqual([]);
    expect(Object.keys(figures).sort()).toEqual([
      'clicks',
      'engagement',
      'followers',
      'posts',
      'reach',
    ]);
    expect(await network.fetchPostMetrics(credentials, [])).toEqual([]);
  });

  test('has a kind of token that its capabilities tell', () => {
    expect(network.platform).toBe(platform);
    expect(network.tokenFamily === 'NONE').toBe(!capabilities[platform].supports.tokenRefresh);
  });

  test('takes no delivery without a signature, and no handshake in a call that is none', async () => {
    expect(await network.verifySignature(Buffer.from('{}'), {})).toBe(false);
    expect(await network.answerChallenge({})).toBeUndefined();
  });
});

test.each(platforms.filter((platform) => capabilities[platform].supports.commentEvents))(
  'a comment on %s comes signed, with its author and its text',
  async (platform) => {
    const network = networkOf(platform);
    const sent = await sandbox.network(platform).sendEvent({
      userId: '4711',
      type: 'comment',
      text: 'How much? 🎂',
      from: { id: '815', name: 'Ada' },
      postId: '99',
      deliveries: 0,
    });
    const { rawBody, headers } = received(sent);

    expect(await network.verifySignature(rawBody, headers)).toBe(true);
    expect(await network.verifySignature(Buffer.from(`${rawBody} `), headers)).toBe(false);
    expect(network.parseEvents(rawBody)).toMatchObject([
      {
        eventId: expect.stringContaining(sent.eventId),
        platformUserId: '4711',
        text: 'How much? 🎂',
        isEcho: false,
      },
    ]);
  },
);
