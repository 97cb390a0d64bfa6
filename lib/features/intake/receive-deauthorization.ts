import { listGrantedAccounts } from '#lib/features/social/accounts/granted-accounts.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import type { MetaPlatform } from '#schemas/platforms.ts';
import { takeEvents } from './receive-events.ts';
import { requireSignedRequest } from './require-signed-request.ts';

/**
 * Accepts Meta's notification that a person removed the app. Like similar events of other networks,
 * it deactivates the person's accounts, unless they were connected again later: on Instagram the
 * account itself, on Facebook the pages whose tokens the person granted.
 *
 * @returns the number of accounts for which this notification is new.
 * @throws 400 without a request, 401 for a wrong signature or an old request.
 */
export async function receiveDeauthorization(
  platform: MetaPlatform,
  rawBody: Buffer,
): Promise<number> {
  const { personId, issuedAt } = await requireSignedRequest(platform, rawBody);
  const platformUserIds =
    platform === 'INSTAGRAM' ? [personId] : await listGrantedAccounts(platform, personId);

  return takeEvents(
    platform,
    platformUserIds.map((platformUserId): NormalisedEvent => {
      const eventId = `deauthorized-${platformUserId}-${personId}-${issuedAt}`;

      return {
        eventId,
        platformUserId,
        type: 'deauthorized',
        channel: 'POST',
        from: { id: personId, name: '' },
        text: '',
        messageId: eventId,
        isEcho: false,
        occurredAt: issuedAt,
      };
    }),
  );
}
