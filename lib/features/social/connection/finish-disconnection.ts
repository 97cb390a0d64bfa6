import {
  findSocialAccount,
  findSocialAccountClaim,
} from '#lib/features/social/accounts/accounts.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialRanges } from '#lib/platform/db/keys/social.ts';
import { query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { write } from '#lib/platform/db/write.ts';
import type { WorkPayload } from '#schemas/messages.ts';
import { planSubscription, unsubscribe } from './webhook-subscription.ts';

export type DisconnectedAccount = WorkPayload<'accountDisconnected'>;

/**
 * Ends the network subscription of a disconnected account and removes its metrics. If the account
 * has been connected again, keeps the subscription, because networks have one per account. If the
 * same organization connected it again, also keeps the metrics. The token is encrypted for the key
 * of the work instead of the account's key.
 *
 * @throws NetworkError for transient failures.
 */
export async function finishDisconnection(account: DisconnectedAccount & Key): Promise<void> {
  const { organizationId, id, platform, platformUserId } = account;
  const present = await findSocialAccountClaim(platform, platformUserId);
  if (present?.accountId !== id) {
    await removeMany(
      await query(socialRanges.accountStats(organizationId, id), { expiredToo: true }),
    );
  }
  if (present) {
    return;
  }
  await unsubscribe(account);
  const claim = await findSocialAccountClaim(platform, platformUserId);
  const successor = claim && (await findSocialAccount(claim.organizationId, claim.accountId));
  if (successor) {
    await write(planSubscription(successor));
  }
}
