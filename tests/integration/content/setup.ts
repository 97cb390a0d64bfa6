import { randomInt, randomUUID } from 'node:crypto';
import ical from 'ical.js';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { minuteOf } from '#lib/features/content/posts/post-minutes.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { hourMs, setClock, setPause, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { put, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import * as content from '#schemas/content.ts';
import { createContentPost, getContentPost } from '#schemas/content.ts';
import { createContentGroup, getContentGroup } from '#schemas/content-groups.ts';
import { getNextPostingSlot, updatePostingSlots } from '#schemas/content-slots.ts';
import type { Contract } from '#schemas/contract.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';
import { storeMedia } from '#scripts/fixtures/media.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, askAs, type CallInput, call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { mp4 } from '#tests/support/media-files.ts';
import { mediaAt } from '../../unit/vendors/networks/local-servers.ts';

export type ContentSetup = {
  readonly owner: Account;
  readonly organizationId: string;
  /** An account that exists in the network sandbox. */
  readonly account: SocialAccount;
  /** Calls an operation of the organization as its owner. */
  readonly ask: (contract: Contract, options?: CallInput) => Promise<Answer>;
  /** Creates a post with the account, and throws if it is rejected. */
  readonly newPost: (details?: Readonly<Record<string, unknown>>) => Promise<Answer['body']>;
  readonly readPost: (id: string) => Promise<Answer['body']>;
  /** Returns the texts that the network shows for the account. */
  readonly published: () => Promise<readonly string[]>;
};

/** Creates an organization with a Facebook page and no posts. */
export async function contentSetup(): Promise<ContentSetup> {
  const owner = await newAccount();
  const ask = askAs(owner);
  const { organizationId } = owner;
  const account = await connectedAccount(organizationId);
  const newPost = async (details: Readonly<Record<string, unknown>> = {}) => {
    const created = await ask(createContentPost, { body: { ...bodyFor(account), ...details } });
    if (created.status !== 201) {
      throw new Error(`Creating answered ${created.status}: ${JSON.stringify(created.body)}`);
    }

    return created.body.contentPost;
  };

  return {
    owner,
    organizationId,
    account,
    ask,
    newPost,
    readPost: async (id) =>
      (await ask(getContentPost, { params: { post_id: id } })).body.contentPost,
    published: async () =>
      (await sandbox.network(account.platform).posts(account.platformUserId)).map(
        ({ text }) => text,
      ),
  };
}

export function bodyFor({ id, platform }: SocialAccount) {
  return { socialAccountId: id, platform, content: `New engines ${randomUUID()}` };
}

/**
 * Creates an account on the network and the body of a post for it: only text if the network
 * supports that, otherwise with the first supported kind of media.
 */
export async function bodyOn(platform: Platform, { organizationId }: ContentSetup) {
  const account = await connectedAccount(organizationId, {
    platform,
    platformUserId: `${Date.now()}${randomInt(1_000, 10_000)}`,
  });
  const { supports, media } = capabilities[platform];
  const mediaUrls = supports.textOnlyPost
    ? []
    : [
        media[0] === 'video' || platform === 'TIKTOK'
          ? await mediaAt('video/mp4', Buffer.alloc(2_000, 7))
          : 'https://example.com/engine.jpg',
      ];

  return { account, body: { ...bodyFor(account), mediaUrls } };
}

export type SlotsSetup = ContentSetup & {
  /** Replaces the slots of the organization, and throws if they are rejected. */
  readonly setSlots: (body: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Takes minutes like scheduled posts of the account. */
  readonly takeMinutes: (times: readonly string[]) => Promise<void>;
  /** Returns the time of the account's next free slot, in the API's format, or null. */
  readonly nextSlot: (socialAccountId?: string) => Promise<string | null>;
};

export async function slotsSetup(): Promise<SlotsSetup> {
  const world = await contentSetup();

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

/** Allows networks and the service to fetch media from the local storage, as in the local stack. */
export function allowLocalMedia(): void {
  const origins = `${process.env.STRIPE_API_BASE},${process.env.S3_ENDPOINT}`;
  vi.stubEnv('WEBHOOK_ALLOWED_ORIGINS', origins);
}

export const inAnHour = () => timestamp(hourMs);

export const ofGroup = ({ id }: { readonly id: string }) => ({ params: { group_id: id } });

/** Creates a group, and throws if it is rejected. */
export async function newGroup(
  world: ContentSetup,
  body: Readonly<Record<string, unknown>>,
  options: CallInput = {},
): Promise<Answer['body']> {
  const created = await world.ask(createContentGroup, { body, ...options });
  if (created.status !== 201) {
    throw new Error(`Creating answered ${created.status}: ${JSON.stringify(created.body)}`);
  }

  return created.body.group;
}

export async function readGroup(world: ContentSetup, group: { readonly id: string }) {
  return (await world.ask(getContentGroup, ofGroup(group))).body.group;
}

/** Targets with accounts on these networks, all of which accept text without media. */
export async function textTargets(world: ContentSetup, platforms: readonly Platform[]) {
  const accounts = await Promise.all(
    platforms.map((platform) => connectedAccount(world.organizationId, { platform })),
  );

  return { accounts, targets: accounts.map(({ id }) => ({ socialAccountId: id })) };
}

/** Returns a composition for all networks: an image, and a video where a network requires one. */
export async function compositionOnAll(world: ContentSetup) {
  const { organizationId } = world;
  const [image, video, ...accounts] = await Promise.all([
    storeMedia(organizationId),
    storeVideo(organizationId),
    ...platforms.map((platform) =>
      connectedAccount(organizationId, {
        platform,
        platformUserId: `${Date.now()}${randomInt(1_000, 10_000)}`,
      }),
    ),
  ]);
  const ofVideos: readonly Platform[] = ['TIKTOK', 'YOUTUBE'];
  const targets = accounts.map(({ id, platform }) => ({
    socialAccountId: id,
    ...(ofVideos.includes(platform) ? { mediaIds: [video.id] } : {}),
  }));

  return { accounts, body: { content: `Engines ${randomUUID()}`, mediaIds: [image.id], targets } };
}

function storeVideo(organizationId: string) {
  const file = { kind: 'VIDEO', fileName: 'engine.mp4', contentType: 'video/mp4' } as const;

  return storeMedia(
    organizationId,
    { ...file, storedName: `${randomUUID()}.mp4` },
    mp4({ videoBytes: 2_000 }),
  );
}

/** Returns how often the network shows the text for each account. */
export function shownOn(accounts: readonly SocialAccount[], text: string) {
  return Promise.all(
    accounts.map(async ({ platform, platformUserId }) => {
      const posts = await sandbox.network(platform).posts(platformUserId);

      return posts.filter((post) => post.text === text).length;
    }),
  );
}

/** Facebook's response to a post that it never accepts. */
export const rejection = {
  mode: 'error',
  status: 400,
  body: JSON.stringify({ error: { code: 100, message: 'Unsupported', type: 'OAuthException' } }),
} as const;

export function statesOf(group: Answer['body']): readonly string[] {
  return group.posts.map(({ status }: { readonly status: string }) => status);
}

/** Creates an organization and reads its calendar feed. */
export async function calendarFeedSetup() {
  const world = await contentSetup();

  async function renewCalendarFeed(): Promise<URL> {
    const answer = await world.ask(content.renewCalendarFeed, { body: {} });
    expect(answer.status).toBe(200);

    return new URL(answer.body.calendar.url);
  }

  async function getCalendarFeed(
    url: URL,
    organizationId = world.organizationId,
    headers: CallInput['headers'] = {},
  ): Promise<Answer> {
    const answer = await call(content.getCalendarFeed, {
      params: { organization_id: organizationId },
      query: { token: url.searchParams.get('token') ?? '' },
      headers,
    });

    return answer.status === 200
      ? { ...answer, body: Buffer.from(answer.body, 'base64').toString() }
      : answer;
  }

  /** Returns the event of a post. */
  async function eventOf(postId: string, url: URL): Promise<ical.Event | undefined> {
    const { body } = await getCalendarFeed(url);

    return new ical.Component(ical.parse(body))
      .getAllSubcomponents('vevent')
      .map((component) => new ical.Event(component))
      .find(({ uid }) => uid.startsWith(postId));
  }

  return { ...world, renewCalendarFeed, getCalendarFeed, eventOf };
}

/**
 * Allows a test file to move ahead of the system's clock, also by the pauses of the code. Each test
 * begins without a difference.
 */
export function clockOfTest() {
  const clock = { aheadMs: 0 };
  beforeEach(() => {
    clock.aheadMs = 0;
    setClock(() => Date.now() + clock.aheadMs);
    setPause(async (ms) => {
      clock.aheadMs += ms;
    });
  });
  afterEach(() => {
    setPause();
  });

  return clock;
}
