import { expect, it } from 'vitest';
import { unhideComment } from '#schemas/conversations.ts';
import { call } from '#tests/support/api.ts';
import { changesAt, commentSetup } from './setup.ts';

const world = await commentSetup();

it.each(['FACEBOOK', 'INSTAGRAM', 'TIKTOK', 'TWITTER'] as const)(
  'unhideComment shows a hidden comment on %s again, with one call',
  async (platform) => {
    const comment = await world.comment(platform);
    const calls = (await changesAt(platform)).length;
    expect((await world.act('hide', comment)).status).toBe(200);
    expect((await world.state(comment)).atNetwork?.isHidden).toBe(true);

    const { status, body } = await call(unhideComment, world.callOf(comment));
    expect((await world.act('unhide', comment)).status).toBe(200);

    expect([status, body.messageRecord.isHidden]).toEqual([200, false]);
    expect((await changesAt(platform)).length - calls).toBe(2);
    expect(await world.state(comment)).toMatchObject({
      message: { isHidden: false },
      atNetwork: { isHidden: false },
    });
  },
);
