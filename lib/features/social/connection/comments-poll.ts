import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { create, discard, type Write, write } from '#lib/platform/db/write.ts';
import { writeUnlessTaken } from '#lib/platform/db/write-if-met.ts';
import { logger } from '#lib/platform/log/logger.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import type { Platform } from '#schemas/platforms.ts';

/** An account's poll state. */
export type CommentsPoll = {
  readonly organizationId: string;
  readonly accountId: string;
  /** The time of the latest known comment. Polls start there, unless there is a window. */
  readonly since: string;
  /** Set for networks with a window. The poll never reads comments from before this time. */
  readonly startedAt?: string;
};

type PollRules = {
  /** `always`: the network also pushes comments, but not all. `ifNotPushed`: see `subscribe`. */
  readonly needed: 'always' | 'ifNotPushed';
  /** Every poll reads comments from this period. */
  readonly windowMs?: number;
};

/** Networks that push comments, but whose accounts may need polling. */
export const pollsOfPushed: Readonly<Partial<Record<Platform, PollRules>>> = {
  INSTAGRAM: { needed: 'always', windowMs: 72 * hourMs },
  TWITTER: { needed: 'ifNotPushed' },
};

/** Adds an account to the polling schedule, if its network does not push comments. */
export function planCommentsPoll({
  organizationId,
  id: accountId,
  platform,
}: Pick<SocialAccount, 'organizationId' | 'id' | 'platform'>): readonly Write[] {
  if (!capabilities[platform].pollsComments) {
    return [];
  }
  const poll: CommentsPoll = { organizationId, accountId, since: timestamp() };

  return [
    create(socialKeys.commentsPoll(organizationId, accountId), {
      ...poll,
      ...dueIn('COMMENTS_POLL', timestamp()),
    }),
  ];
}

/**
 * Starts or ends the polling of an account whose network pushes comments, after each attempt to
 * subscribe to them. Changes nothing for other networks.
 */
export async function arrangeCommentsPoll(
  { organizationId, id: accountId, platform }: SocialAccount,
  arePushed: boolean,
): Promise<void> {
  const rules = pollsOfPushed[platform];
  if (!rules) {
    return;
  }
  const key = socialKeys.commentsPoll(organizationId, accountId);
  if (rules.needed === 'ifNotPushed' && arePushed) {
    await write(discard(key));

    return;
  }
  const since = timestamp();
  const started = rules.windowMs === undefined ? {} : { startedAt: since };
  const poll: CommentsPoll = { organizationId, accountId, since, ...started };
  const isNew = await writeUnlessTaken([
    create(key, { ...poll, ...dueIn('COMMENTS_POLL', timestamp()) }),
  ]);
  if (isNew && !arePushed) {
    logger.warn('The comments of an account are polled, because they are not pushed', {
      accountId,
      platform,
    });
  }
}
