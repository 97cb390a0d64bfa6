import { now } from '#lib/platform/clock.ts';
import type {
  Credentials,
  Handle,
  ProbeOutcome,
  Progress,
  Publication,
  Published,
} from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { callTwitter } from './call.ts';
import { readTimelineSince, twitterPostUrl, writtenText } from './metrics.ts';
import { checkMedia, type UploadedMedia, uploadMedia } from './upload-media.ts';

/** So long a post may take to appear in its author's timeline. */
const settleMs = 30_000;

const handleShape = z.object({
  media: z.array(
    z.object({
      id: z.string(),
      state: z.enum(['ready', 'processing']),
      checkAfterMs: z.number().optional(),
    }),
  ),
});
const created = z.object({ data: z.object({ id: z.string() }) });
const deleted = z.object({ data: z.object({ deleted: z.boolean() }) });

/** Brings the media to X, and waits until it has worked through them. */
export async function prepareTwitterPost(
  { accessToken }: Credentials,
  { mediaUrls }: Publication,
  handle?: Handle,
): Promise<Progress> {
  const known = handleShape.safeParse(handle).data?.media;
  const media: UploadedMedia[] = [];
  if (known === undefined) {
    for (const url of mediaUrls) {
      media.push(await uploadMedia(accessToken, url));
    }
  } else {
    for (const { id, state } of known) {
      media.push(state === 'ready' ? { id, state } : await checkMedia(accessToken, id));
    }
  }
  const waits = media.flatMap((one) => (one.state === 'processing' ? [one.checkAfterMs] : []));

  return waits.length === 0
    ? { state: 'ready', handle: { media } }
    : { state: 'pending', handle: { media }, retryAfterMs: Math.max(...waits) };
}

/** X knows no idempotency key: this is sent once, and `probeTwitterPost` tells what became of it. */
export async function commitTwitterPost(
  credentials: Credentials,
  { text }: Publication,
  handle: Handle,
): Promise<Published> {
  const mediaIds = (handleShape.safeParse(handle).data?.media ?? []).map(({ id }) => id);

  return createPost(credentials, {
    ...(text === '' ? {} : { text }),
    ...(mediaIds.length === 0 ? {} : { media: { media_ids: mediaIds } }),
  });
}

/**
 * Looks for the text among the account's own posts. X takes a moment to list a post, so that its
 * absence proves something only afterwards.
 */
export async function probeTwitterPost(
  credentials: Credentials,
  { text }: Publication,
  since: string,
): Promise<ProbeOutcome> {
  const { pages, isWhole } = await readTimelineSince(credentials, 'tweets', since);
  const wanted = comparable(text);
  const found = pages
    .flatMap(({ data }) => data)
    .find(
      (post) => post.in_reply_to_user_id === undefined && comparable(writtenText(post)) === wanted,
    );
  if (found) {
    return published(found.id);
  }
  const settlesInMs = Date.parse(since) + settleMs - now();
  if (settlesInMs > 0) {
    return { state: 'processing', retryAfterMs: settlesInMs };
  }

  return isWhole
    ? { state: 'absent', reason: 'The account has no post with this text' }
    : { state: 'unknown' };
}

export async function deleteTwitterPost({ accessToken }: Credentials, id: string): Promise<void> {
  await callTwitter({
    method: 'DELETE',
    path: `/2/tweets/${encodeURIComponent(id)}`,
    token: accessToken,
    isHarmless: true,
    answer: deleted,
  });
}

/** A reply to a post is a post of its own. Plans without it answer 403, which is for good. */
export async function replyOnTwitter(
  credentials: Credentials,
  postId: string,
  text: string,
): Promise<string> {
  const { platformPostId } = await createPost(credentials, {
    text,
    reply: { in_reply_to_tweet_id: postId },
  });

  return platformPostId;
}

async function createPost({ accessToken }: Credentials, post: object): Promise<Published> {
  const { data } = await callTwitter({
    method: 'POST',
    path: '/2/tweets',
    token: accessToken,
    json: post,
    answer: created,
  });

  return published(data.id);
}

function published(id: string): Published {
  return { state: 'published', platformPostId: id, url: twitterPostUrl(id) };
}

function comparable(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** A refusal for what cannot be a post on X at all, before anything is sent. */
export function refuseEmptyPost({ text, mediaUrls }: Publication): void {
  if (text.trim() === '' && mediaUrls.length === 0) {
    throw new NetworkError('TWITTER', 'refused', {
      message: 'A post on X needs text or media',
    });
  }
}
