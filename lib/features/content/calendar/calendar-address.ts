import { planMemberGrant } from '#lib/features/organizations/member-grants.ts';
import type { Actor } from '#lib/features/organizations/members.ts';
import { noRevocations, type Revocations } from '#lib/features/organizations/revocations.ts';
import { config } from '#lib/platform/config.ts';
import { hashToken, newOneTimeToken } from '#lib/platform/crypto/one-time-token.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import { get } from '#lib/platform/db/read.ts';
import { type ExtraWrites, put, remove, write } from '#lib/platform/db/write.ts';

export type CalendarFeed = { readonly tokenHash: string; readonly createdById?: string };

type FeedAddress = { readonly url: string };

/** Creates a new feed URL and invalidates the previous one. */
export async function renewFeed(
  organizationId: string,
  actor: Actor,
  extraWrites: ExtraWrites<FeedAddress>,
): Promise<FeedAddress> {
  const token = newOneTimeToken();
  const feed: CalendarFeed = { tokenHash: hashToken(token), createdById: actor.userId };
  const path = `/content/${organizationId}/calendar.ics`;
  const address = { url: `${config.publicBaseUrl}${path}?token=${token}` };
  await write(
    ...(await extraWrites(address)),
    put(contentKeys.calendarFeed(organizationId), feed),
    planMemberGrant(organizationId, actor),
  );

  return address;
}

/**
 * Plans to invalidate the URL that a member created, in the transaction that ends the member's
 * access. If the URL was renewed concurrently, the write throws ConditionNotMetError: retry.
 */
export async function planFeedEnd(organizationId: string, userId: string): Promise<Revocations> {
  const key = contentKeys.calendarFeed(organizationId);
  const feed = await get<CalendarFeed>(key);
  if (feed?.createdById !== userId) {
    return noRevocations;
  }

  return {
    writes: [remove(key, { when: equals('tokenHash', feed.tokenHash) })],
    details: { endedCalendarAddress: true },
  };
}
