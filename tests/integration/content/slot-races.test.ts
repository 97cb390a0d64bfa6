import { beforeEach, describe, expect, it } from 'vitest';
import { newPost } from '#lib/features/content/new-post.ts';
import { planSlotHold } from '#lib/features/content/posts/post-minutes.ts';
import { planPost } from '#lib/features/content/posts/post-writes.ts';
import { withNextSlots } from '#lib/features/content/slots/next-slot.ts';
import { setClock } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { deleteContentPost, updateContentPost } from '#schemas/content.ts';
import { createContentGroup } from '#schemas/content-groups.ts';
import { atOnce } from '#tests/support/depth.ts';
import { daily, type SlotsSetup, slotsSetup, thursdays } from './setup.ts';

let world: SlotsSetup;

beforeEach(async () => {
  world = await slotsSetup();
  setClock(() => Date.parse('2026-11-26T07:00:00.000Z'));
});

/** Schedules a post for the account's next free slot. Returns its id and time. */
function schedule(beforeWrite: () => Promise<unknown> = async () => undefined) {
  const { organizationId, account } = world;
  const { id: socialAccountId, platform } = account;

  const groupId = newId();

  return withNextSlots(organizationId, groupId, [socialAccountId], async ([scheduledAt]) => {
    if (scheduledAt === undefined) {
      return undefined;
    }
    const details = { socialAccountId, platform, content: 'New engines', scheduledAt };
    const post = { ...newPost(organizationId, newId(), details), groupId, isInSlot: true };
    await beforeWrite();
    await write(...planPost(post));

    return { id: post.id, at: scheduledAt };
  });
}

describe('requests for the next slot at the same time', () => {
  it('each get a different slot, without gaps', async () => {
    const requests = atOnce(10);
    await world.setSlots({ timezone: 'UTC', slots: daily('08:00', '10:00', '12:00', '14:00') });
    const targets = [{ socialAccountId: world.account.id }];
    const body = { content: 'New engines', useNextSlot: true, targets };
    const answers = await Promise.all(
      Array.from({ length: requests }, () => world.ask(createContentGroup, { body })),
    );
    const taken = answers.map((answer) => answer.body.group.posts[0]);
    const times: readonly string[] = taken.map(({ scheduledAt }) => scheduledAt);
    const posts = await Promise.all(taken.map((slot) => world.readPost(slot.id)));

    expect(new Set(times).size).toBe(requests);
    expect(posts.map(({ scheduledAt }) => scheduledAt)).toEqual(times);
    expect(posts.every(({ status }) => status === 'SCHEDULED')).toBe(true);
    expect(times.toSorted()).toEqual(
      Array.from({ length: requests }, (_, index) =>
        new Date(Date.UTC(2026, 10, 26 + Math.floor(index / 4), 8 + 2 * (index % 4))).toISOString(),
      ),
    );
  });

  it('get undefined when every slot is taken', async () => {
    const slots = [{ weekday: 4, time: '09:30', socialAccountId: null }];
    await world.setSlots({ timezone: 'UTC', slots });
    await world.takeMinutes(thursdays(50));
    const taken = await Promise.all(Array.from({ length: 6 }, () => schedule()));
    const times = taken.flatMap((slot) => slot?.at ?? []);

    expect(times.toSorted()).toEqual(thursdays(53).slice(50));
  });

  it('take the first slot and the next one, if there are two', async () => {
    await world.setSlots({ timezone: 'UTC', slots: daily('08:00', '10:00', '12:00') });
    // The second request is sent after the first has found its slot.
    let second: Awaited<ReturnType<typeof schedule>>;
    const first = await schedule(async () => {
      second ??= await schedule();
    });

    expect([first?.at, second?.at]).toEqual([
      '2026-11-26T08:00:00.000Z',
      '2026-11-26T10:00:00.000Z',
    ]);
  });

  it('release a slot for the next request if they fail', async () => {
    await world.setSlots({ timezone: 'UTC', slots: daily('08:00', '10:00') });
    const crashed = schedule(async () => {
      throw new Error('The post is not written');
    });
    await expect(crashed).rejects.toThrow('The post is not written');

    expect((await schedule())?.at).toBe('2026-11-26T08:00:00.000Z');
  });

  it('release a slot a minute after a crash', async () => {
    await world.setSlots({ timezone: 'UTC', slots: daily('08:00', '10:00') });
    const { organizationId, account } = world;
    const hold = { organizationId, accountId: account.id, groupId: newId() };
    await write(planSlotHold({ ...hold, slot: '2026-11-26T08:00:00.000Z' }));

    expect(await world.nextSlot()).toBe('2026-11-26T10:00:00.000Z');
    setClock(() => Date.parse('2026-11-26T07:01:01.000Z'));
    expect((await schedule())?.at).toBe('2026-11-26T08:00:00.000Z');
  });

  it('keep a slot when somebody schedules a post for the same minute concurrently', async () => {
    await world.setSlots({ timezone: 'UTC', slots: daily('08:00', '10:00') });
    const scheduledAt = '2026-11-26T08:00:00.000Z';
    const slot = await schedule(() => world.newPost({ scheduledAt }));
    expect(slot?.at).toBe(scheduledAt);
    expect(await world.nextSlot()).toBe('2026-11-26T10:00:00.000Z');
    await world.ask(deleteContentPost, { params: { post_id: slot?.id ?? '' } });

    // The other post still exists.
    expect(await world.nextSlot()).toBe('2026-11-26T10:00:00.000Z');
  });
});

describe('a slot with a post', () => {
  beforeEach(() => world.setSlots({ timezone: 'UTC', slots: daily('08:00', '10:00') }));

  it('is not taken from a post that is scheduled manually for the same minute', async () => {
    const slot = await schedule();
    const { id } = await world.newPost({ scheduledAt: slot?.at });
    await world.ask(deleteContentPost, { params: { post_id: id } });

    expect(await world.nextSlot()).toBe('2026-11-26T10:00:00.000Z');
  });

  it('stays taken if only the text changes, or the same time is set again', async () => {
    const slot = await schedule();
    const params = { post_id: slot?.id ?? '' };
    await world.ask(updateContentPost, { params, body: { content: 'Newer engines' } });
    await world.ask(updateContentPost, { params, body: { scheduledAt: slot?.at } });

    expect(await world.nextSlot()).toBe('2026-11-26T10:00:00.000Z');
  });

  it.each([
    ['is deleted', deleteContentPost, {}],
    ['becomes a draft', updateContentPost, { body: { scheduledAt: null } }],
    ['moves', updateContentPost, { body: { scheduledAt: '2026-11-26T09:00:00.000Z' } }],
  ] as const)('is free again when the post %s, and can be claimed', async (_, contract, call) => {
    const slot = await schedule();
    await world.ask(contract, { params: { post_id: slot?.id ?? '' }, ...call });
    expect(await world.nextSlot()).toBe(slot?.at);

    expect((await schedule())?.at).toBe(slot?.at);
  });

  it('is not released by a post that had it before', async () => {
    const slot = await schedule();
    const params = { post_id: slot?.id ?? '' };
    await world.ask(updateContentPost, { params, body: { scheduledAt: null } });
    await schedule();
    await world.ask(updateContentPost, { params, body: { scheduledAt: slot?.at } });
    await world.ask(deleteContentPost, { params });

    expect(await world.nextSlot()).toBe('2026-11-26T10:00:00.000Z');
  });
});
