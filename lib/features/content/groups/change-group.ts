import {
  changePost,
  isInHands,
  type PostPatch,
  problemsOfChange,
} from '#lib/features/content/change-post.ts';
import { deletePost } from '#lib/features/content/delete-post.ts';
import { isStaged } from '#lib/features/content/publishing/staged-posts.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { ApiError, overtaken, rejectProblems } from '#lib/platform/errors/failures.ts';
import type { updateContentGroup } from '#schemas/content-groups.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { type GroupPost, type GroupWithPosts, hashOfText, requireGroup } from './group.ts';

type GroupPatch = BodyOf<typeof updateContentGroup>;

/**
 * Changes the posts that can still change. Checks all changes before it writes the first one. Each
 * post then changes separately, so after a crash the same request can be repeated.
 *
 * @throws 404; 409 while the group is being created; 400 for content that a network rejects.
 */
export async function changeGroup(
  organizationId: string,
  groupId: string,
  patch: GroupPatch,
): Promise<GroupWithPosts> {
  const { group, posts } = await requireFinishedGroup(organizationId, groupId);
  const changes = posts
    .filter((one) => isOpen(one))
    .map(({ post, target }) => {
      const { content, ...others } = patch;
      const isCommon = hashOfText(post.content) === group.commonText;

      return { post, target, patch: isCommon ? patch : others };
    });
  const problems = await Promise.all([
    ...changes.map(({ post, target, patch: own }) => problemsOfTarget(post, target, own, patch)),
    patch.scheduledAt ? problemsOfAccounts(organizationId, changes) : [],
  ]);
  rejectProblems([...new Set(problems.flat())]);
  await allOf(changes.map(({ post, patch: own }) => changePost(organizationId, post.id, own)));
  // Written last, so that after a crash the posts with the former text are found again.
  const commonText = hashOfText(patch.content ?? '');
  const isNew = patch.content !== undefined && commonText !== group.commonText;
  if (isNew && group.commonText !== undefined) {
    await write(change(contentKeys.contentGroup(organizationId, groupId), { set: { commonText } }));
  }

  return requireGroup(organizationId, groupId);
}

/**
 * Deletes the posts that can still change, and returns their ids.
 *
 * @throws 404; 409 while the group is being created.
 */
export async function cancelGroup(
  organizationId: string,
  groupId: string,
): Promise<readonly string[]> {
  const { posts } = await requireFinishedGroup(organizationId, groupId);
  const ids = posts.filter((one) => isOpen(one)).map(({ post }) => post.id);
  const canceled = await allOf(
    ids.map(async (id) => {
      await deletePost(organizationId, id);

      return id;
    }),
  );

  return canceled;
}

async function requireFinishedGroup(
  organizationId: string,
  groupId: string,
): Promise<GroupWithPosts> {
  const found = await requireGroup(organizationId, groupId);
  if (found.posts.some(({ post }) => isStaged(post))) {
    throw overtaken('The content group is still being created');
  }

  return found;
}

/** True unless the network has the post, or may have it. */
function isOpen({ post }: GroupPost): boolean {
  const { state, phase, platformPostId } = post;
  const isWaiting = state === 'DRAFT' || state === 'SCHEDULED' || state === 'FAILED';

  return isWaiting && phase !== 'UNCONFIRMED' && platformPostId === undefined && !isInHands(post);
}

/**
 * Returns the problems of the change for one post. They contain the field names of the request,
 * which has no targets.
 */
async function problemsOfTarget(
  post: GroupPost['post'],
  target: number,
  patch: PostPatch,
  request: GroupPatch,
): Promise<readonly string[]> {
  const problems = await problemsOfChange(post, patch);
  const cause = request.scheduledAt === undefined ? 'content' : 'scheduledAt';

  return problems.map((problem) =>
    Object.hasOwn(request, /^\w*/.exec(problem)?.[0] ?? '')
      ? problem
      : `${cause} is not possible for target ${target}: ${problem}`,
  );
}

async function problemsOfAccounts(
  organizationId: string,
  posts: readonly GroupPost[],
): Promise<readonly string[]> {
  const accounts = await getMany<SocialAccount>(
    posts.map(({ post }) => socialKeys.socialAccount(organizationId, post.targetAccountId)),
  );

  return posts.flatMap(({ target }, index) =>
    accounts[index]?.isActive
      ? []
      : [`scheduledAt is not possible for target ${target}: its social account is not active`],
  );
}

/**
 * Returns the results of the changes. Ignores posts that were published or deleted in the meantime.
 *
 * @throws the first other failure, after all changes have ended.
 */
async function allOf<Result>(changes: ReadonlyArray<Promise<Result>>): Promise<readonly Result[]> {
  const outcomes = await Promise.allSettled(changes);
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' && !isOvertaken(outcome.reason) ? [outcome.reason] : [],
  );
  if (failures.length > 0) {
    throw failures[0];
  }

  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

function isOvertaken(failure: unknown): boolean {
  return failure instanceof ApiError && ['conflict', 'notFound'].includes(failure.kind);
}
