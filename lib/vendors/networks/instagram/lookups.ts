import { minuteMs, now } from '#lib/platform/clock.ts';
import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import {
  networkId,
  optional,
  optionalId,
  optionalNumber,
  optionalText,
  readableList,
  textOrEmpty,
  timestampText,
} from '#lib/vendors/networks/lenient-fields.ts';
import { completedEvent } from '#lib/vendors/networks/meta/fetched-message.ts';
import { pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type { Credentials, LookupsApi, NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { ifFound } from '#lib/vendors/networks/network-error.ts';
import { personOf } from '#lib/vendors/networks/person-of.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

/** Each media file costs a call, and Instagram limits the calls of an account. */
const maxMedia = 10;
const listedMedia = 50;
const commentsPerPage = 50;
const maxPages = 2;
/** The event of a newer comment may not have arrived yet. */
const deliveryMs = 5 * minuteMs;

const ownMedia = z.object({
  data: readableList(
    platform,
    z.object({ id: networkId, username: optionalText, comments_count: optionalNumber }),
  ),
});
const comment = z.object({
  id: networkId,
  text: textOrEmpty,
  timestamp: timestampText,
  /** Absent if Instagram returns no author. Then nobody could receive a reply. */
  from: optional(z.object({ id: networkId, username: textOrEmpty })),
  parent_id: optionalId,
});
type Comment = z.output<typeof comment>;
const commentPage = z.object({
  data: readableList(
    platform,
    comment.extend({ replies: optional(z.object({ data: readableList(platform, comment) })) }),
  ),
  paging: optional(
    z.object({ cursors: optional(z.object({ after: optionalText })), next: optionalText }),
  ),
});
type CommentPage = z.output<typeof commentPage>;

const commentFields = 'id,text,timestamp,from';

/**
 * Returns the comments on the account's latest media, oldest first, because Instagram does not push
 * every comment. They have the event ids of pushed comments, so known ones are recognized. Omits
 * the account's own comments and comments whose event may still arrive.
 *
 * Unverified: the order of comments. See docs/operations.md.
 */
export const fetchComments: LookupsApi['fetchComments'] = async (
  credentials,
  sinceExactly,
  beforeCall = async () => undefined,
) => {
  // Instagram's timestamps have no milliseconds.
  const since = sinceExactly.replace(/\.\d+Z$/, '.000Z');
  await beforeCall();
  const answer = await call(credentials, {
    path: pathOf(credentials.platformUserId, 'media'),
    query: { fields: 'id,username,comments_count', limit: listedMedia },
  });
  const media = readAnswer(platform, ownMedia, answer).data;
  const commented = media.filter(({ comments_count: count = 0 }) => count > 0).slice(0, maxMedia);
  const found: NormalisedEvent[] = [];
  for (const { id, username } of commented) {
    const comments = await ifFound(readComments(credentials, id, since, beforeCall));
    const isOwn = ({ from }: Comment) =>
      from?.id === credentials.platformUserId || (from !== undefined && from.username === username);
    found.push(
      ...(comments ?? [])
        .filter((one) => !isOwn(one))
        .flatMap((one) => toEvent(credentials, id, one) ?? []),
    );
  }
  const until = new Date(now() - deliveryMs).toISOString();

  return found
    .toReversed()
    .filter(({ occurredAt }) => occurredAt >= since && occurredAt <= until)
    .toSorted((one, other) => one.occurredAt.localeCompare(other.occurredAt));
};

/** Reads the comments on a media file, newest first, until they are older than `since`. */
async function readComments(
  credentials: Credentials,
  mediaId: string,
  since: string,
  beforeCall: () => Promise<void>,
): Promise<readonly Comment[]> {
  const comments: Comment[] = [];
  let after: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    await beforeCall();
    const answer = await call(credentials, {
      path: pathOf(mediaId, 'comments'),
      query: {
        fields: `${commentFields},replies{${commentFields},parent_id}`,
        limit: commentsPerPage,
        after,
      },
    });
    const read: CommentPage = readAnswer(platform, commentPage, answer);
    comments.push(...read.data.flatMap(withReplies));
    after = read.paging?.next === undefined ? undefined : read.paging.cursors?.after;
    const oldest = read.data.at(-1);
    if (after === undefined || (oldest && timeOf(oldest) < since)) {
      break;
    }
  }

  return comments;
}

function withReplies({ replies, ...top }: CommentPage['data'][number]): readonly Comment[] {
  return [
    top,
    ...(replies?.data ?? []).map((reply) => ({ ...reply, parent_id: reply.parent_id ?? top.id })),
  ];
}

function timeOf({ timestamp }: Comment): string {
  return new Date(timestamp.replace(/\+0000$/, 'Z')).toISOString();
}

function toEvent(
  { platformUserId }: Credentials,
  mediaId: string,
  written: Comment,
): NormalisedEvent | undefined {
  const { id, text, from, parent_id: parentId } = written;

  return (
    from && {
      eventId: id,
      platformUserId,
      type: 'comment',
      channel: 'COMMENT',
      from: personOf(from),
      text,
      messageId: id,
      platformPostId: mediaId,
      ...(parentId === undefined ? {} : { parentId }),
      isEcho: false,
      occurredAt: timeOf(written),
    }
  );
}

const profile = z.object({
  name: z.string().default(''),
  username: z.string().optional(),
  profile_pic: z.string().optional(),
});

/** Returns the profile of a person who wrote to the account. */
export const fetchProfile: Required<LookupsApi>['fetchProfile'] = async (
  credentials,
  customerId,
) => {
  const answer = await call(credentials, {
    path: pathOf(customerId),
    query: { fields: 'name,username,profile_pic' },
  });
  const { name, username, profile_pic: avatarUrl } = readAnswer(platform, profile, answer);

  return { name, ...(username ? { username } : {}), ...(avatarUrl ? { avatarUrl } : {}) };
};

/** Fetches a message whose event contains only the id. */
export const completeEvent: Required<LookupsApi>['completeEvent'] = (credentials, event) =>
  completedEvent(platform, (request) => call(credentials, request), event);
