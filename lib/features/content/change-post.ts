import {
  type ContentPost,
  changed,
  isThreadBegun,
  keyOf,
  nextPartOf,
  postDateOf,
  requirePost,
} from '#lib/features/content/posts/post.ts';
import { requireReadyMediaOfPost } from '#lib/features/content/posts/post-media.ts';
import { planMinute } from '#lib/features/content/posts/post-minutes.ts';
import {
  accountRejected,
  publicationProblems,
  scheduleProblems,
} from '#lib/features/content/posts/post-rules.ts';
import { readSettings } from '#lib/features/content/posts/post-settings.ts';
import {
  dateKey,
  planDate,
  planScheduledEvent,
  planStateMove,
} from '#lib/features/content/posts/post-writes.ts';
import { duePublication, isFree } from '#lib/features/content/publishing/ownership.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  type Attributes,
  change,
  discard,
  ensure,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { rejectProblems, wrongState } from '#lib/platform/errors/failures.ts';
import type { updateContentPost } from '#schemas/content.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { PostSettings } from '#schemas/post-settings.ts';

export type PostPatch = BodyOf<typeof updateContentPost>;

const isBegun = 'The first part of the thread is published. It can only be continued or deleted';
const isPublished = 'Only the tags of a published content post can be changed';
/** Returns the 409 for a post that a publisher holds. */
export const beingPublished = ({ state }: ContentPost) =>
  wrongState('The content post is being published', state);

/**
 * Changes the given fields. Publishers and this function both use conditional writes, so either the
 * new content is published or the change is rejected.
 *
 * @throws 404; 409 for a published post or one that is being published; 400 for content that the
 * network rejects. A new `scheduledAt` also throws 404 and 401, as for a new post.
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
    if (isInHands(before) || isCreateInProgress(before)) {
      throw beingPublished(before);
    }
    if (settingsProblemsOf(before, patch).length === 0 && !changesSomething(before, set)) {
      return before;
    }
    const after = changed(before, { ...set, updatedAt: timestamp() });
    rejectProblems(await problemsAfter(after, patch));
    const isRescheduled = before.state !== after.state || before.scheduledAt !== after.scheduledAt;
    const event = isRescheduled ? await planScheduledEvent(after) : [];
    await write(
      ...event,
      ...planPostChange(before, after, { ...set, updatedAt: after.updatedAt }),
      ...(patch.scheduledAt ? [planAccountExists(after)] : []),
    );

    return after;
  });
}

/**
 * Returns the fields that change.
 *
 * @throws 409 for changes to a published post, except to its tags.
 */
function changesOf(before: ContentPost, patch: PostPatch): Attributes {
  const { content, tags, scheduledAt, mediaUrls, mediaIds } = patch;
  const given = {
    ...(tags === undefined ? {} : { tags: [...new Set(tags)] }),
    ...(content === undefined ? {} : { content }),
    ...(scheduledAt === undefined ? {} : { scheduledAt }),
    ...(mediaUrls === undefined ? {} : { mediaUrls: mediaUrls ?? [] }),
    ...(mediaIds === undefined ? {} : { mediaIds: mediaIds ?? [] }),
    ...(patch.settings === undefined ? {} : { settings: settingsOf(before, patch) }),
  };
  const isTagsAlone = Object.keys(given).every((field) => field === 'tags');
  if (isTagsAlone) {
    return given;
  }
  if (before.state === 'PUBLISHED') {
    throw wrongState(isPublished, before.state);
  }
  if (isThreadBegun(before) && !continuesThread(patch)) {
    throw wrongState(isBegun, before.state);
  }
  const state = stateAfter(before, patch);
  const set = { ...given, state, ...leaveSlot(before, { ...before, ...given, state }) };

  return { ...set, ...resetAttempt(changed(before, set)) };
}

/** A post loses its slot if its time changes or it is no longer scheduled. */
function leaveSlot(before: ContentPost, after: Attributes): Attributes {
  const stays =
    before.state === 'SCHEDULED' &&
    after.state === 'SCHEDULED' &&
    after.scheduledAt === before.scheduledAt;

  return before.isInSlot && !stays ? { isInSlot: null } : {};
}

/** True if the first part is published, so only the time of the other parts can change. */
function continuesThread(patch: PostPatch): boolean {
  const { content, mediaUrls, mediaIds, settings, scheduledAt } = patch;

  return (
    scheduledAt !== null &&
    [content, mediaUrls, mediaIds, settings].every((one) => one === undefined)
  );
}

/** Returns null if the patch clears the settings. Rejects invalid settings with all problems. */
function settingsOf(before: ContentPost, patch: PostPatch): PostSettings | null {
  const { settings, problems } = readSettings(before.platform, patch.settings);

  return (problems.length > 0 ? before.settings : settings) ?? null;
}

function settingsProblemsOf({ platform }: ContentPost, patch: PostPatch): readonly string[] {
  return readSettings(platform, patch.settings).problems;
}

/** Returns the reasons why a post cannot be changed. Each problem starts with the field name. */
export function problemsOfChange(
  before: ContentPost,
  patch: PostPatch,
): Promise<readonly string[]> {
  return problemsAfter(changed(before, changesOf(before, patch)), patch);
}

async function problemsAfter(
  changedPost: ContentPost,
  patch: PostPatch,
): Promise<readonly string[]> {
  const after = unpublishedOf(changedPost);
  const isScheduled = after.state === 'SCHEDULED';
  const media =
    isScheduled || patch.mediaIds || patch.settings
      ? await requireReadyMediaOfPost(after.organizationId, after)
      : { media: [], threadMedia: [] };

  return [
    ...settingsProblemsOf(after, patch),
    ...scheduleProblems(patch.scheduledAt),
    ...(isScheduled ? await publicationProblems({ ...after, ...media }) : []),
  ];
}

/** Returns the post without the media of published parts, because those may have been deleted. */
function unpublishedOf(post: ContentPost): ContentPost {
  const { thread } = post;
  const next = nextPartOf(post);
  if (next < 0 || thread === undefined) {
    return post;
  }
  const parts = thread.map((part, index) => (index < next ? { ...part, mediaIds: [] } : part));

  return { ...post, mediaUrls: [], mediaIds: [], thread: parts };
}

function stateAfter({ state }: ContentPost, { scheduledAt }: PostPatch): ContentPost['state'] {
  if (scheduledAt) {
    return 'SCHEDULED';
  }

  return scheduledAt === null && state === 'SCHEDULED' ? 'DRAFT' : state;
}

function planPostChange(
  before: ContentPost,
  after: ContentPost,
  set: Attributes,
): readonly Write[] {
  const { state } = before;

  return [
    change(keyOf(before), {
      set,
      add: { attempt: 1 },
      when: allOf(equals('attempt', before.attempt), equals('state', state), isFree()),
    }),
    ...(postDateOf(before) === postDateOf(after)
      ? [change(dateKey(after), { set: { tags: after.tags, state: after.state } })]
      : [discard(dateKey(before)), planDate(after)]),
    ...planMinute(before, after),
    ...planStateMove(before, after),
  ];
}

function planAccountExists({ organizationId, targetAccountId }: ContentPost): Write {
  return ensure(socialKeys.socialAccount(organizationId, targetAccountId), {
    when: equals('isActive', true),
    onConditionFailed: accountRejected,
  });
}

/** True if a publisher is sending the post or has sent it. */
export function isInHands({ state, phase, leaseUntil }: ContentPost): boolean {
  const isLeased = leaseUntil !== undefined && leaseUntil >= timestamp();

  return isLeased || (state === 'SCHEDULED' && (phase === 'ARMED' || phase === 'SENT'));
}

/**
 * True while the request that created the post is still running and may delete it. If that request
 * crashed, the publisher deletes the post, and a change would be lost with it.
 */
function isCreateInProgress({ state, isImmediate = false }: ContentPost): boolean {
  return state === 'SCHEDULED' && isImmediate;
}

/**
 * Resets the state of earlier attempts before a new publication. An immediate post has no
 * `scheduledAt` and is due now, because it only waited for the network.
 */
function resetAttempt(post: ContentPost): Attributes {
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
