import { expect, it } from 'vitest';
import { changesAt, commentSetup } from './setup.ts';

const world = await commentSetup();

it.each(['FACEBOOK', 'TIKTOK', 'LINKEDIN'] as const)(
  'likeComment likes a comment on %s as the account, once',
  async (platform) => {
    const comment = await world.comment(platform);
    const calls = (await changesAt(platform)).length;

    const { status, body } = await world.act('like', comment);
    expect((await world.act('like', comment)).status).toBe(200);

    expect([status, body.messageRecord]).toMatchObject([200, { isLiked: true, isHidden: false }]);
    expect((await changesAt(platform)).length - calls).toBe(1);
    expect((await world.state(comment)).atNetwork?.isLiked).toBe(true);
  },
);

it.each(['INSTAGRAM', 'TWITTER'] as const)('likeComment returns 400 on %s', async (platform) => {
  const { status, body } = await world.act('like', await world.comment(platform));

  expect([status, body.message]).toEqual([400, `${platform} does not support likeComment`]);
});
