import { secondMs } from '#lib/platform/clock.ts';
import { pathOf } from '#lib/vendors/networks/meta/path-of.ts';
import { patienceMs } from '#lib/vendors/networks/meta/patience.ts';
import type { Credentials, Network, Published, RecentPost } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { callInstagram } from './call.ts';
import { containerHandle, readContainer } from './containers.ts';

const platform = 'INSTAGRAM';
const recentPosts = 50;
/** The post is not kept waiting for its address, without which it does. */
const permalinkTimeoutMs = 1_500;
const probeAgainMs = 10 * secondMs;
/** Instagram's clock and this one's may differ by so much; its times are whole seconds. */
const clockSkewMs = 5 * secondMs;

const created = z.object({ id: z.string() });
const medium = z.object({ permalink: z.string().optional() });
const listed = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      caption: z.string().default(''),
      timestamp: z.string(),
      permalink: z.string().optional(),
    }),
  ),
});
const secondsOfDay = 86_400;
const limits = z.object({
  data: z
    .array(
      z.object({
        quota_usage: z.number(),
        config: z.object({
          quota_total: z.number(),
          quota_duration: z.number().default(secondsOfDay),
        }),
      }),
    )
    .min(1),
});

/** A container is published once: sent again after a lost answer, the call is refused. */
export const commitInstagramPost: Network['commit'] = async (credentials, _publication, handle) => {
  const { containerId = '' } = containerHandle.parse(handle);
  const id = await publishContainer(credentials, containerId);

  return { state: 'published', platformPostId: id, url: await findPermalink(credentials, id) };
};

async function publishContainer(credentials: Credentials, containerId: string): Promise<string> {
  try {
    const answer = await callInstagram(credentials, {
      method: 'POST',
      path: pathOf(credentials.platformUserId, 'media_publish'),
      form: { creation_id: containerId },
      timeoutMs: patienceMs(),
    });

    return readAnswer(platform, created, answer, 'outcomeUnknown').id;
  } catch (failure) {
    if (failure instanceof NetworkError && failure.kind === 'refused') {
      await throwIfPublished(credentials, containerId);
    }
    throw failure;
  }
}

/** A refusal because it is out already is no failure of the post: `probe` finds it. */
async function throwIfPublished(credentials: Credentials, containerId: string): Promise<void> {
  const { state } = await readContainer(credentials, containerId);
  if (state === 'PUBLISHED') {
    throw new NetworkError(platform, 'outcomeUnknown', {
      message: 'The container was already published',
    });
  }
}

/** The post is out: that its address cannot be read now must not make it look otherwise. */
async function findPermalink(credentials: Credentials, mediaId: string): Promise<string | null> {
  try {
    const answer = await callInstagram(credentials, {
      method: 'GET',
      path: pathOf(mediaId),
      query: { fields: 'permalink' },
      timeoutMs: permalinkTimeoutMs,
    });

    return readAnswer(platform, medium, answer).permalink ?? null;
  } catch {
    return null;
  }
}

/**
 * The container is the witness: it says whether it was published. It does not say as what, so the
 * post is looked up by its caption, or is the newest since then, as an account publishes one at a
 * time.
 */
export const probeInstagramPost: Network['probe'] = async (
  credentials,
  publication,
  handle,
  since,
) => {
  const { containerId } = containerHandle.parse(handle);
  if (containerId === undefined) {
    return { state: 'unknown' };
  }
  const { state, reason } = await readContainer(credentials, containerId);
  if (state !== 'PUBLISHED') {
    return { state: state === 'ERROR' || state === 'EXPIRED' ? 'failed' : 'absent', reason };
  }
  const earliest = Date.parse(since) - clockSkewMs;
  const posts = (await listInstagramPosts(credentials)).filter(
    (post) => Date.parse(post.publishedAt) >= earliest,
  );
  const found = posts.find((post) => sameText(post.text, publication.text)) ?? posts[0];

  return found
    ? publishedAs(found)
    : // It is out, and the list does not show it yet.
      { state: 'processing', retryAfterMs: probeAgainMs };
};

function publishedAs({ platformPostId, url }: RecentPost): Published {
  return { state: 'published', platformPostId, url };
}

function sameText(one: string, other: string): boolean {
  const plain = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

  return plain(one) === plain(other);
}

/** The account's latest posts, newest first. */
export async function listInstagramPosts(credentials: Credentials): Promise<readonly RecentPost[]> {
  const answer = await callInstagram(credentials, {
    method: 'GET',
    path: pathOf(credentials.platformUserId, 'media'),
    query: { fields: 'id,caption,timestamp,permalink', limit: recentPosts },
  });

  return readAnswer(platform, listed, answer).data.map((post) => ({
    platformPostId: post.id,
    text: post.caption,
    publishedAt: new Date(post.timestamp.replace(/\+0000$/, 'Z')).toISOString(),
    url: post.permalink ?? null,
  }));
}

/** 3P: one source says that only accounts that logged in through Facebook may do this. */
export const deleteInstagramPost: Network['deletePost'] = async (credentials, platformPostId) => {
  await callInstagram(credentials, { method: 'DELETE', path: pathOf(platformPostId) });
};

/** The number differs from account to account: it is read, and never assumed. */
export const fetchInstagramQuota: NonNullable<Network['fetchPublishingQuota']> = async (
  credentials,
) => {
  const answer = await callInstagram(credentials, {
    method: 'GET',
    path: pathOf(credentials.platformUserId, 'content_publishing_limit'),
    query: { fields: 'quota_usage,config' },
  });
  const [limit] = readAnswer(platform, limits, answer).data;
  if (!limit) {
    return 'open';
  }
  const { quota_total: total, quota_duration: seconds } = limit.config;

  return { used: limit.quota_usage, total, windowMs: seconds * secondMs };
};
