import { createHash } from 'node:crypto';
import * as z from 'zod';
import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import {
  accountOf,
  addCommentReply,
  addPost,
  markComment,
  metricOf,
  type NetworkWorld,
  numericId,
  postsOf,
  type SandboxComment,
  type SandboxPost,
} from '../network-world.ts';
import { countOf, weightedLength } from '../text-limits.ts';
import { usernameOf } from './account-routes.ts';
import { bodyOf, rejectForbidden, rejectInvalid, rejectUnknown, requireGrant } from './api.ts';
import { planOf } from './app.ts';
import { only, requestedFields } from './fields.ts';
import { mediaDetailsOf, requireMediaIds } from './media-routes.ts';

const maximumLength = 280;
const maximumIds = 100;
const privateMetricsMs = 30 * 24 * 60 * 60 * 1_000;

const newPost = z.object({
  text: z.string().optional(),
  media: z.object({ media_ids: z.array(z.string()).min(1).max(4) }).optional(),
  reply: z.object({ in_reply_to_tweet_id: z.string() }).optional(),
  reply_settings: z.enum(['following', 'mentionedUsers', 'subscribers', 'verified']).optional(),
  quote_tweet_id: z
    .string()
    .regex(/^\d{1,19}$/)
    .optional(),
});

/** Posts and timelines. */
export const publishingRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: /^\/2\/tweets$/, answer: createPost },
  { method: 'GET', path: /^\/2\/tweets$/, answer: readPosts },
  { method: 'DELETE', path: /^\/2\/tweets\/([^/]+)$/, answer: deletePost },
  { method: 'PUT', path: /^\/2\/tweets\/([^/]+)\/hidden$/, answer: hideReply },
  { method: 'GET', path: /^\/2\/users\/([^/]+)\/tweets$/, answer: listPosts },
  { method: 'GET', path: /^\/2\/users\/([^/]+)\/mentions$/, answer: listMentions },
];

/**
 * Creates a post. Accepts duplicate text unless the setting says otherwise, so that tests notice a
 * post that was published twice.
 */
function createPost(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const { userId } = requireGrant(call, 'tweet.read', 'tweet.write', 'users.read');
  const parsed = newPost.safeParse(bodyOf(request));

  if (!parsed.success || (!parsed.data.text && !parsed.data.media)) {
    rejectInvalid('Either text or media is required, in the documented form');
  }

  const { text = '', media, reply, reply_settings, quote_tweet_id } = parsed.data;

  if (quote_tweet_id !== undefined && media !== undefined) {
    rejectInvalid('media and quote_tweet_id are mutually exclusive');
  }

  if (weightedLength(text) > maximumLength) {
    rejectForbidden(
      'Your Tweet text is too long. For more information on how Twitter determines text length see https://github.com/twitter/twitter-text.',
    );
  }

  if (countOf('cashtags', text) > 1) {
    rejectForbidden('A post may contain at most one cashtag.');
  }

  if (planOf(world).rejectsDuplicates && text !== '' && hasPosted(world, userId, text)) {
    rejectForbidden('You are not allowed to create a Tweet with duplicate content.');
  }

  const mediaIds = requireMediaIds(world, userId, media?.media_ids ?? []);
  const id = numericId(19);

  const target = world.posts.get(reply?.in_reply_to_tweet_id ?? '');

  if (reply && target?.userId !== userId) {
    answerPost(world, userId, id, reply.in_reply_to_tweet_id, text);
  } else {
    addPost(world, {
      id,
      userId,
      text,
      media: mediaIds,
      mediaDetails: mediaDetailsOf(world, mediaIds),
      ...settingsOf({ reply_settings, quote_tweet_id }),
      url: `https://x.com/i/web/status/${id}`,
      ...(reply ? { inReplyTo: reply.in_reply_to_tweet_id } : {}),
    });
  }

  return jsonAnswer(201, { data: { id, text: wrapped(text).text, edit_history_tweet_ids: [id] } });
}

function settingsOf(given: Readonly<Record<string, string | undefined>>) {
  const settings = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );

  return Object.keys(settings).length === 0 ? {} : { settings };
}

function hasPosted(world: NetworkWorld, userId: string, text: string): boolean {
  return postsOf(world, userId).some((post) => post.text === text);
}

/** Adds a reply to a customer. Self-serve plans may only reply to posts that mention the account explicitly. */
function answerPost(
  world: NetworkWorld,
  userId: string,
  id: string,
  postId: string,
  text: string,
): void {
  const comment = world.comments.get(postId);

  if (comment === undefined || comment.userId !== userId) {
    rejectForbidden('You attempted to reply to a Tweet that is deleted or not visible to you.');
  }

  const handle = `@${usernameOf(accountOf(world, userId).name)}`;

  if (planOf(world).isSelfServe && !comment.text.includes(handle)) {
    rejectForbidden(
      'Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.',
    );
  }

  addCommentReply(world, { id, userId, comment, text });
}

/** Hides a reply in a conversation that the account started. */
function hideReply(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const { userId } = requireGrant(call, 'tweet.read', 'users.read', 'tweet.moderate.write');
  const [id = ''] = call.parts;
  const parsed = z.object({ hidden: z.boolean() }).safeParse(bodyOf(request));

  if (!parsed.success) {
    rejectInvalid('The `hidden` field is required');
  }

  const comment = world.comments.get(id);

  if (comment === undefined) {
    rejectUnknown('tweet', id);
  }

  if (world.posts.get(comment.postId)?.userId !== userId) {
    rejectForbidden('You are not permitted to hide this reply.');
  }

  markComment(world, comment, { isHidden: parsed.data.hidden });

  return jsonAnswer(200, { data: { hidden: parsed.data.hidden } });
}

function deletePost(call: NetworkCall): SandboxAnswer {
  const { userId } = requireGrant(call, 'tweet.read', 'tweet.write', 'users.read');
  const [id = ''] = call.parts;
  const post = call.world.posts.get(id);

  if (post === undefined) {
    rejectUnknown('tweet', id);
  }

  if (post.userId !== userId) {
    rejectForbidden('You are not authorized to delete this Tweet.');
  }

  call.world.posts.delete(id);

  return jsonAnswer(200, { data: { deleted: true } });
}

/**
 * Reads posts. Omits a post if its private metrics are requested after 30 days or by another user.
 */
function readPosts(call: NetworkCall): SandboxAnswer {
  const { userId } = requireGrant(call, 'tweet.read', 'users.read');
  const { world, request } = call;
  const ids = (request.query.get('ids') ?? '').split(',').filter(Boolean);
  const fields = requestedFields(request);

  if (ids.length === 0 || ids.length > maximumIds) {
    rejectInvalid(
      `The number of values in the ids query parameter list [${ids.length}] is not between 1 and 100`,
    );
  }

  const wantsPrivate = fields.has('non_public_metrics') || fields.has('organic_metrics');
  const oldest = world.clock().getTime() - privateMetricsMs;
  const answers = ids.map((id) => {
    const post = world.posts.get(id);

    if (post === undefined) {
      return { error: missing(id) };
    }

    const isHidden = post.userId !== userId || Date.parse(post.at) < oldest;

    return wantsPrivate && isHidden
      ? { error: hidden(id) }
      : { data: only({ ...describePost(post, world), ...metricsOf(post, wantsPrivate) }, fields) };
  });
  const data = answers.flatMap((one) => ('data' in one ? [one.data] : []));
  const errors = answers.flatMap((one) => ('error' in one ? [one.error] : []));

  return jsonAnswer(200, {
    ...(data.length > 0 ? { data } : {}),
    ...(errors.length > 0 ? { errors } : {}),
  });
}

function missing(id: string) {
  return {
    value: id,
    detail: `Could not find tweet with ids: [${id}].`,
    title: 'Not Found Error',
    resource_type: 'tweet',
    parameter: 'ids',
    resource_id: id,
    type: 'https://api.x.com/2/problems/resource-not-found',
  };
}

function hidden(id: string) {
  return {
    resource_id: id,
    parameter: 'post.fields',
    resource_type: 'tweet',
    section: 'data',
    title: 'Field Authorization Error',
    value: 'non_public_metrics',
    detail: 'Sorry, you are not authorized to access non_public_metrics on the Tweet.',
    type: 'https://api.x.com/2/problems/not-authorized-for-field',
  };
}

function metricsOf(post: SandboxPost, isPrivate: boolean) {
  const shown = {
    like_count: metricOf(post, 'likes'),
    reply_count: metricOf(post, 'comments'),
    repost_count: metricOf(post, 'shares'),
    quote_count: 0,
    bookmark_count: 0,
    impression_count: metricOf(post, 'impressions'),
  };

  return {
    public_metrics: shown,
    ...(isPrivate
      ? {
          non_public_metrics: {
            impression_count: shown.impression_count,
            url_link_clicks: metricOf(post, 'clicks'),
            user_profile_clicks: 0,
          },
        }
      : {}),
  };
}

function listPosts(call: NetworkCall): SandboxAnswer {
  requireGrant(call, 'tweet.read', 'users.read');
  const [userId = ''] = call.parts;
  const excluded = (call.request.query.get('exclude') ?? '').split(',').filter(Boolean);

  if (excluded.some((kind) => kind !== 'replies' && kind !== 'retweets')) {
    rejectInvalid('exclude must be replies or retweets');
  }

  const posts = postsOf(call.world, userId).filter(
    ({ inReplyTo }) => inReplyTo === null || !excluded.includes('replies'),
  );

  return timeline(
    call,
    posts.map((post) => describePost(post, call.world)),
  );
}

function listMentions(call: NetworkCall): SandboxAnswer {
  requireGrant(call, 'tweet.read', 'users.read');
  const [userId = ''] = call.parts;
  const mentions = [...call.world.comments.values()].filter(
    (one) => one.userId === userId && one.from.id !== userId,
  );
  const users = new Map(mentions.map(({ from }) => [from.id, describeUser(from.id, from.name)]));

  return timeline(call, mentions.reverse().map(describeMention), { users: [...users.values()] });
}

type Described = { readonly id: string; readonly created_at: string };

/** Returns a page of posts since `start_time`, newest first. */
function timeline(
  { request }: NetworkCall,
  all: readonly Described[],
  includes?: object,
): SandboxAnswer {
  const start = request.query.get('start_time');

  if (start !== null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(start)) {
    rejectInvalid(`Invalid 'start_time':'${start}'. 'start_time' must be a valid RFC3339 time`);
  }

  const size = Number(request.query.get('max_results') ?? 10);
  const from = Number(request.query.get('pagination_token') ?? 0);
  const fitting = all.filter(
    (one) => start === null || Date.parse(one.created_at) >= Date.parse(start),
  );
  const fields = requestedFields(request);
  const data = fitting.slice(from, from + size).map((post) => only(post, fields));
  const hasMore = fitting.length > from + size;

  return jsonAnswer(200, {
    ...(data.length > 0 ? { data, ...(includes ? { includes } : {}) } : {}),
    meta: { result_count: data.length, ...(hasMore ? { next_token: String(from + size) } : {}) },
  });
}

function describePost(post: SandboxPost, world: NetworkWorld) {
  const { inReplyTo } = post;

  const text = quoting(post);

  return {
    ...wrapped(cut(text), post.media),
    ...(isLong(text) ? { note_post: wrapped(text) } : {}),
    id: post.id,
    author_id: post.userId,
    conversation_id: rootOf(post, world),
    created_at: post.at,
    edit_history_post_ids: [post.id],
    ...(inReplyTo === null
      ? {}
      : {
          in_reply_to_user_id: post.userId,
          referenced_posts: [{ type: 'replied_to', id: inReplyTo }],
        }),
  };
}

/** X appends the URL of a quoted post. */
function quoting({ text, settings }: SandboxPost): string {
  const quoted = settings?.quote_tweet_id;

  return quoted === undefined ? text : `${text} https://x.com/i/status/${quoted}`;
}

/** Returns the first post of a thread. */
function rootOf(post: SandboxPost, world: NetworkWorld): string {
  const before = world.posts.get(post.inReplyTo ?? '');

  return before === undefined ? post.id : rootOf(before, world);
}

/** Returns a customer's post that mentions the account or replies to it, as reads return it. */
function describeMention(comment: SandboxComment) {
  const { parentId, userId, text } = comment;
  const references = referencesOf(comment);

  return {
    ...describeShared(comment),
    ...(isLong(text) ? { note_post: wrapped(text) } : {}),
    edit_history_post_ids: [comment.id],
    ...(parentId === null ? {} : { in_reply_to_user_id: userId }),
    ...(references.length === 0 ? {} : { referenced_posts: references }),
  };
}

function referencesOf({ parentId, repostOf, quoteOf }: SandboxComment) {
  return [
    ...(parentId === null ? [] : [{ type: 'replied_to', id: parentId }]),
    ...(quoteOf === undefined ? [] : [{ type: 'quoted', id: quoteOf }]),
    ...(repostOf === undefined ? [] : [{ type: 'retweeted', id: repostOf }]),
  ];
}

/** Returns the same post in the format of events, which still use the older names. */
export function describeComment(comment: SandboxComment) {
  const { parentId, userId, text } = comment;
  const references = referencesOf(comment);

  return {
    ...describeShared(comment),
    ...(isLong(text) ? { note_tweet: wrapped(text) } : {}),
    edit_history_tweet_ids: [comment.id],
    ...(parentId === null ? {} : { in_reply_to_tweet_id: parentId, in_reply_to_user_id: userId }),
    ...(references.length === 0 ? {} : { referenced_tweets: references }),
  };
}

function describeShared({ id, text, from, parentId, postId, at }: SandboxComment) {
  return {
    ...wrapped(cut(text)),
    id,
    author_id: from.id,
    conversation_id: parentId === null ? id : postId,
    created_at: at,
  };
}

/** Members of X Premium write long posts, whose `text` is truncated. */
function isLong(text: string): boolean {
  return weightedLength(text) > maximumLength;
}

function cut(text: string): string {
  return isLong(text) ? `${[...text].slice(0, maximumLength - 1).join('')}…` : text;
}

export function describeUser(id: string, name: string) {
  return { id, name, username: usernameOf(name) };
}

/** Converts text as X does: shortens URLs, appends one for each medium, and escapes HTML. */
function wrapped(written: string, media: readonly string[] = []) {
  const urls: { url: string; expanded_url: string; media_key?: string }[] = [];
  const wrap = (target: string, key?: string): string => {
    const url = `https://t.co/${createHash('sha256').update(target).digest('base64url').replaceAll(/[-_]/g, 'x').slice(0, 10)}`;
    urls.push({ url, expanded_url: target, ...(key ? { media_key: key } : {}) });

    return url;
  };
  const text = written
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/https?:\/\/[^\s]+/g, (url) => wrap(url.replaceAll('&amp;', '&')));
  const shown = media.map((id) => wrap(`https://x.com/media/${id}`, `3_${id}`));

  return {
    text: [text, ...shown].filter(Boolean).join(' '),
    ...(urls.length > 0 ? { entities: { urls } } : {}),
  };
}
