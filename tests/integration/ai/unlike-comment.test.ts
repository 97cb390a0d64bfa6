import { expect, it } from 'vitest';
import { unlikeComment } from '#schemas/conversations.ts';
import { call } from '#tests/support/api.ts';
import { changesAt, commentSetup } from './setup.ts';

const world = await commentSetup();

it.each(['FACEBOOK', 'TIKTOK', 'LINKEDIN'] as const)(
  'unlikeComment removes the like of the account from a comment on %s',
  async (platform) => {
    const comment = await world.comment(platform);
    await world.act('like', comment);
    const calls = (await changesAt(platform)).length;

    const { status, body } = await call(unlikeComment, world.callOf(comment));
    expect((await world.act('unlike', comment)).status).toBe(200);

    expect([status, body.messageRecord.isLiked]).toEqual([200, false]);
    expect((await changesAt(platform)).length - calls).toBe(1);
    expect((await world.state(comment)).atNetwork?.isLiked).toBe(false);
  },
);
