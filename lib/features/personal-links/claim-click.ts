import type { PersonalDestination } from '#lib/features/short-links/destination.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { absent } from '#lib/platform/db/conditions.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { describeFailure } from '#lib/platform/log/logger.ts';
import { logAlarmingError } from '#lib/platform/metrics/embedded-metrics.ts';
import { planWork } from '#lib/platform/work/outbox.ts';

/**
 * Claims a link's first click, and plans to count it. The visitor waits for one write. Only clicks
 * of the same link contend for it.
 */
export async function claimClick({
  organizationId,
  conversationId,
  linkId,
}: PersonalDestination): Promise<void> {
  const payload = { organizationId, conversationId, linkId };
  try {
    await writeIfMet(
      change(socialKeys.personalLink(organizationId, conversationId, linkId), {
        set: { clickedAt: timestamp() },
        when: absent('clickedAt'),
      }),
      planWork('bioClick', {
        owner: socialKeys.conversation(organizationId, conversationId),
        payload,
      }),
    );
  } catch (failure) {
    // A counting failure must not prevent the redirect.
    logAlarmingError('LostWork', 'A click was not counted', {
      ...payload,
      failure: describeFailure(failure),
    });
  }
}
