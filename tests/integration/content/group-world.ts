import { randomInt, randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { createContentGroup, getContentGroup } from '#schemas/content-groups.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';
import type { Answer, Call } from '#tests/support/api.ts';
import { connectedAccount } from '#tests/support/content.ts';
import { sandbox } from '#tests/support/mails.ts';
import { storeMedia } from '#tests/support/media.ts';
import { mp4 } from '#tests/support/media-files.ts';
import type { ContentWorld } from './world.ts';

/** Lets networks and the service fetch media from the local storage, as in the local stack. */
export function allowLocalMedia(): void {
  const origins = `${process.env.STRIPE_API_BASE},${process.env.S3_ENDPOINT}`;
  vi.stubEnv('WEBHOOK_ALLOWED_ORIGINS', origins);
}

export const inAnHour = () => timestamp(hourMs);

export const ofGroup = ({ id }: { readonly id: string }) => ({ params: { group_id: id } });

/** Creates a group, and throws if it is rejected. */
export async function newGroup(
  world: ContentWorld,
  body: Readonly<Record<string, unknown>>,
  options: Call = {},
): Promise<Answer['body']> {
  const created = await world.ask(createContentGroup, { body, ...options });
  if (created.status !== 201) {
    throw new Error(`Creating answered ${created.status}: ${JSON.stringify(created.body)}`);
  }

  return created.body.group;
}

export async function readGroup(world: ContentWorld, group: { readonly id: string }) {
  return (await world.ask(getContentGroup, ofGroup(group))).body.group;
}

/** Targets with accounts on the networks, which all accept text alone. */
export async function textTargets(world: ContentWorld, platforms: readonly Platform[]) {
  const accounts = await Promise.all(
    platforms.map((platform) => connectedAccount(world.organizationId, { platform })),
  );

  return { accounts, targets: accounts.map(({ id }) => ({ socialAccountId: id })) };
}

/** Returns a composition for all networks: an image, and a video where a network wants one. */
export async function compositionOnAll(world: ContentWorld) {
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

/** What Facebook answers to a post that it never accepts. */
export const rejection = {
  mode: 'error',
  status: 400,
  body: JSON.stringify({ error: { code: 100, message: 'Unsupported', type: 'OAuthException' } }),
} as const;

export function statesOf(group: Answer['body']): readonly string[] {
  return group.posts.map(({ status }: { readonly status: string }) => status);
}
