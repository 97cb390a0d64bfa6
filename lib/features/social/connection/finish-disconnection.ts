import {
  findSocialAccount,
  findSocialAccountClaim,
} from '#lib/features/social/accounts/accounts.ts';
import { type Key, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { write } from '#lib/platform/db/write.ts';
import type { WorkPayload } from '#schemas/messages.ts';
import { planSubscription, unsubscribe } from './webhook-subscription.ts';

export type DisconnectedAccount = WorkPayload<'accountDisconnected'>;

/**
 * Ends the network subscription of a disconnected account and removes its metrics. If the account
 * has been connected again, the subscription stays, because networks have one per account. Metrics
 * stay if the same organization connected it again. The token is encrypted for the key of the work,
 * which stands for the account's.
 *
 * @throws NetworkError for transient failures.
 */
export async function finishDisconnection(account: DisconnectedAccount & Key): Promise<void> {
  const { organizationId, id, platform, platformUserId } = account;
  const present = await findSocialAccountClaim(platform, platformUserId);
  if (present?.accountId !== id) {
    await removeMany(await query(ranges.accountStats(organizationId, id), { expiredToo: true }));
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
