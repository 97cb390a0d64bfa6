import { minuteOf } from '#lib/features/content/posts/post-minutes.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { put, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { getNextPostingSlot, updatePostingSlots } from '#schemas/content-slots.ts';
import { type ContentWorld, contentWorld } from './world.ts';

export type SlotsWorld = ContentWorld & {
  /** Replaces the slots of the organization, and throws if they are rejected. */
  readonly setSlots: (body: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Takes minutes as scheduled posts of the account do. */
  readonly takeMinutes: (times: readonly string[]) => Promise<void>;
  /** Returns the time of the account's next free slot, as callers see it, or null. */
  readonly nextSlot: (socialAccountId?: string) => Promise<string | null>;
};

export async function slotsWorld(): Promise<SlotsWorld> {
  const world = await contentWorld();

  return {
    ...world,
    setSlots: async (body) => {
      const { status, body: answer } = await world.ask(updatePostingSlots, { body });
      if (status !== 200) {
        throw new Error(`Setting slots answered ${status}: ${JSON.stringify(answer)}`);
      }
    },
    takeMinutes: async (times) => {
      const { organizationId, account } = world;
      const taken = times.map((at) =>
        put(keys.postMinute(organizationId, account.id, minuteOf(at), newId()), {}),
      );
      await Promise.all(taken.map((minute) => write(minute)));
    },
    nextSlot: async (socialAccountId = world.account.id) => {
      const { body } = await world.ask(getNextPostingSlot, { query: { socialAccountId } });

      return body.slot?.at ?? null;
    },
  };
}

/** Slots on every day of the week at the given times, for all accounts. */
export function daily(...times: readonly string[]) {
  return [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) =>
    times.map((time) => ({ weekday, time, socialAccountId: null as string | null })),
  );
}

/** Returns 09:30 UTC on Thursdays from 2026-11-26 on. A year has 53 of them. */
export function thursdays(count: number): readonly string[] {
  return Array.from({ length: count }, (_, week) =>
    new Date(Date.UTC(2026, 10, 26 + 7 * week, 9, 30)).toISOString(),
  );
}
