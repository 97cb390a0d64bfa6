import {
  type ContentPost,
  changed,
  dateOf,
  keyOf,
  requirePost,
} from '#lib/features/content/posts/post.ts';
import { publicationProblems } from '#lib/features/content/posts/post-rules.ts';
import { dateKey, planDate } from '#lib/features/content/posts/post-writes.ts';
import { duePublication, isFree } from '#lib/features/content/publishing/ownership.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  type Attributes,
  change,
  discard,
  ensure,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { badRequest, conflict } from '#lib/platform/errors/failures.ts';
import { accountRefused, distinctTags, scheduleProblems } from './create-post.ts';

export type PostPatch = {
  readonly content?: string | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly scheduledAt?: string | null | undefined;
  readonly mediaUrls?: readonly string[] | null | undefined;
};

const isPublished = 'Only the tags of a published content post can be changed';
/** What another publisher has in its hands cannot be changed any more. */
export const isBeingPublished = 'The content post is being published';

/**
 * Changes what is given. Whoever publishes the post takes it by a conditional write, and so does
 * this: either the new text goes out, or the change is refused.
 *
 * @throws 404; 409 for a published post and for one that is being published; 400 for what the
 * network does not take; for a new time also 404 and 401 for an account that a new post would be
 * refused for.
 */
export function changePost(
  organizationId: string,
  postId: string,
  patch: PostPatch,
): Promise<ContentPost> {
  return retryWhenOvertaken('content post', async () => {
    const before = await requirePost(organizationId, postId);
    const set = changesOf(before, patch);
    if (Object.keys(set).length === 0) {
      return before;
    }
    if (isInHands(before) || isWaitedFor(before)) {
      throw conflict(isBeingPublished);
    }
    if (!changesSomething(before, set)) {
      return before;
    }
    const after = changed(before, { ...set, updatedAt: timestamp() });
    checkPost(after, patch);
    await write(
      ...changeWrites(before, after, { ...set, updatedAt: after.updatedAt }),
      ...(patch.scheduledAt ? [ensureAccount(after)] : []),
    );

    return after;
  });
}

/** What a patch changes of a post. @throws 409 for more than the tags of a published one. */
function changesOf(before: ContentPost, patch: PostPatch): Attributes {
  const { content, tags, scheduledAt, mediaUrls } = patch;
  const given = {
    ...(tags === undefined ? {} : { tags: distinctTags(tags) }),
    ...(content === undefined ? {} : { content }),
    ...(scheduledAt === undefined ? {} : { scheduledAt }),
    ...(mediaUrls === undefined ? {} : { mediaUrls: mediaUrls ?? [] }),
  };
  const isTagsAlone = Object.keys(given).every((field) => field === 'tags');
  if (isTagsAlone) {
    return given;
  }
  if (before.state === 'PUBLISHED') {
    throw conflict(isPublished);
  }
  const state = stateAfter(before, patch);

  return { ...given, state, ...anew(changed(before, { ...given, state })) };
}

/** @throws 400 */
function checkPost(after: ContentPost, patch: PostPatch): void {
  const problems = [
    ...(patch.scheduledAt ? scheduleProblems(patch.scheduledAt) : []),
    ...(after.state === 'SCHEDULED' ? publicationProblems(after) : []),
  ];
  if (problems.length > 0) {
    throw badRequest(...problems);
  }
}

function stateAfter({ state }: ContentPost, { scheduledAt }: PostPatch): ContentPost['state'] {
  if (scheduledAt) {
    return 'SCHEDULED';
  }

  return scheduledAt === null && state === 'SCHEDULED' ? 'DRAFT' : state;
}

function changeWrites(before: ContentPost, after: ContentPost, set: Attributes): readonly Write[] {
  const { state } = before;

  return [
    change(keyOf(before), {
      set,
      add: { attempt: 1 },
      when: allOf(equals('attempt', before.attempt), equals('state', state), isFree()),
    }),
    ...(dateOf(before) === dateOf(after)
      ? [change(dateKey(after), { set: { tags: after.tags } })]
      : [discard(dateKey(before)), planDate(after)]),
  ];
}

/** By an account that is gone, or does not live, nothing is scheduled. */
function ensureAccount({ organizationId, targetAccountId }: ContentPost): Write {
  return ensure(keys.socialAccount(organizationId, targetAccountId), {
    when: equals('isActive', true),
    refused: accountRefused,
  });
}

/** Somebody is about to send it, or has. */
export function isInHands({ state, phase, leaseUntil }: ContentPost): boolean {
  const isLeased = leaseUntil !== undefined && leaseUntil >= timestamp();

  return isLeased || (state === 'SCHEDULED' && (phase === 'ARMED' || phase === 'SENT'));
}

/**
 * The call that made it has not been answered, and may still take it away. If that call is dead, the
 * publisher does so: a change would go with the post.
 */
function isWaitedFor({ state, isImmediate = false }: ContentPost): boolean {
  return state === 'SCHEDULED' && isImmediate;
}

/**
 * What is to be published from the beginning has nothing of an earlier attempt. Without a time it is
 * due now: it was to go out at once, and has only waited for the network.
 */
function anew(post: ContentPost): Attributes {
  const { state, scheduledAt = timestamp() } = post;
  if (state === 'FAILED') {
    return {};
  }

  return {
    ...(state === 'SCHEDULED' ? duePublication(scheduledAt, post) : { duePk: null, dueAt: null }),
    ...{ phase: null, handle: null, sent: null, preparingSince: null, armedAt: null },
    ...{ failureReason: null, failureCode: null, looks: null, leaseUntil: null, tries: 0 },
  };
}
