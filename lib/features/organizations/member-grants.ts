import type { Condition } from '#lib/platform/db/conditions.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { change, type Write } from '#lib/platform/db/write.ts';
import { forbidden, notFound } from '#lib/platform/errors/failures.ts';
import type { Actor } from './members.ts';
import { ranksStill } from './organizations.ts';

/**
 * For items that end when the member who created them loses the right to. Requires that the actor
 * still has the role that authorized the request. A concurrent removal or demotion sees the new
 * version, and includes the new item.
 */
export function planMemberGrant(
  organizationId: string,
  { userId, role }: Actor,
  when: Condition = ranksStill(role),
): Write {
  return change(organizationKeys.member(organizationId, userId), {
    add: { inviteVersion: 1 },
    when,
    onConditionFailed: (stored) => (stored ? forbidden() : notFound('Organization')),
  });
}
