import { isSameText } from '#lib/platform/characters.ts';
import { now } from '#lib/platform/clock.ts';
import { requireAcceptedMedia } from '#lib/vendors/networks/media-rules.ts';
import type { Credentials, Publication, PublishingApi } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';
import { createPost, published } from './create-post.ts';
import { type Post, readTimelineSince, repliedToIn, writtenText } from './timeline.ts';
import { checkMedia, type UploadedMedia, uploadMedia } from './upload-media.ts';

/** X may take this long to list a new post in the author's timeline. */
const listingDelayMs = 30_000;

const handleSchema = z.object({
  media: z.array(
    z.object({
      id: z.string(),
      state: z.enum(['ready', 'processing']),
      checkAfterMs: z.number().optional(),
    }),
  ),
});
const deleted = z.object({ data: z.object({ deleted: z.boolean() }) });

/** Uploads the media and waits until X has processed them. */
export const prepare: PublishingApi['prepare'] = async ({ accessToken }, publication, handle) => {
  requireContent(publication);
  requireNoMediaInQuote(publication);
  const known = handleSchema.safeParse(handle).data?.media;
  const media: UploadedMedia[] = [];
  if (known === undefined) {
    if (publication.mediaUrls.length > 1) {
      await requireAcceptedMedia(platform, publication.mediaUrls);
    }
    for (const [index, url] of publication.mediaUrls.entries()) {
      media.push(await uploadMedia(accessToken, url, publication.media?.[index]?.altText));
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
};

/** Sends the post once, because X has no idempotency key. `probe` resolves an unknown outcome. */
export const commit: PublishingApi['commit'] = async (credentials, publication, handle) => {
  const { text, settings = {} } = publication;
  const { replySettings = 'everyone', quotePostId } = settings;
  const mediaIds = (handleSchema.safeParse(handle).data?.media ?? []).map(({ id }) => id);

  return createPost(credentials, {
    ...(text === '' ? {} : { text }),
    ...(mediaIds.length === 0 ? {} : { media: { media_ids: mediaIds } }),
    // X has no value for everyone, because it is the default.
    ...(replySettings === 'everyone' ? {} : { reply_settings: replySettings }),
    ...(quotePostId === undefined ? {} : { quote_tweet_id: quotePostId }),
    ...replyOf(publication),
  });
};

/**
 * Looks for the text in the account's timeline. X lists posts with a delay, so a missing post is
 * `absent` only after that delay.
 */
export const probe: PublishingApi['probe'] = async (credentials, publication, _handle, since) => {
  const find = publication.replyTo === undefined ? findPost : findReply;
  const { id, isWhole } = await find(credentials, publication, since);
  if (id !== undefined) {
    return published(id);
  }
  const listedInMs = Date.parse(since) + listingDelayMs - now();
  if (listedInMs > 0) {
    return { state: 'processing', retryAfterMs: listedInMs };
  }

  return isWhole
    ? { state: 'absent', reason: 'The account has no post with this text' }
    : { state: 'unknown' };
};

/** X appends the URL of the quoted post to the text. */
function withoutQuote(text: string, quotePostId: string | undefined): string {
  const start = text.lastIndexOf('http');
  const address = start < 0 ? '' : text.slice(start);
  const isQuote =
    quotePostId !== undefined &&
    address.includes(quotePostId) &&
    /^https?:\/\/(?:www\.)?(?:x|twitter)\.com\/\S+$/.test(address);

  return isQuote ? text.slice(0, start).trimEnd() : text;
}

async function findPost(credentials: Credentials, { text, settings }: Publication, since: string) {
  const { pages, isWhole } = await readTimelineSince(credentials, 'tweets', since);
  const found = pages
    .flatMap(({ data }) => data)
    .find(
      (post) =>
        !isReply(post) && isSameText(withoutQuote(writtenText(post), settings?.quotePostId), text),
    );

  return { id: found?.id, isWhole };
}

function isReply(post: Post): boolean {
  return post.in_reply_to_user_id !== undefined || repliedToIn(post) !== undefined;
}

export const deletePost: PublishingApi['deletePost'] = async ({ accessToken }, id) => {
  await call({
    method: 'DELETE',
    path: `/2/tweets/${encodeURIComponent(id)}`,
    token: accessToken,
    isHarmless: true,
    answer: deleted,
  });
};

function requireContent({ text, mediaUrls }: Publication): void {
  if (text.trim() === '' && mediaUrls.length === 0) {
    throw new NetworkError(platform, 'refused', {
      message: 'A post on X needs text or media',
    });
  }
}

function requireNoMediaInQuote({ settings, mediaUrls }: Publication): void {
  if (settings?.quotePostId !== undefined && mediaUrls.length > 0) {
    throw new NetworkError(platform, 'refused', {
      message: 'A post on X that quotes another cannot have media',
    });
  }
}

/** Returns the request fields that make a post a reply. */
function replyOf({ replyTo }: Publication) {
  return replyTo === undefined ? {} : { reply: { in_reply_to_tweet_id: replyTo } };
}

/**
 * Finds a part of a thread among the account's own posts. Each part has one next part, so a post is
 * identified by its text and the post that it replies to.
 */
async function findReply(
  credentials: Credentials,
  { text, replyTo }: Publication,
  since: string,
): Promise<{ readonly id: string | undefined; readonly isWhole: boolean }> {
  const { pages, isWhole } = await readTimelineSince(credentials, 'tweetsAndReplies', since);
  const found = pages
    .flatMap(({ data }) => data)
    .find((post) => repliedToIn(post) === replyTo && isSameText(writtenText(post), text));

  return { id: found?.id, isWhole };
}
