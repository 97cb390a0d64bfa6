import {
  findSocialAccount,
  findSocialAccountClaim,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { write } from '#lib/platform/db/write.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import { planSubscription, unsubscribe } from './subscription.ts';

/** An account as it was when it was disconnected, and when that was. */
export type DisconnectedAccount = SocialAccount & { readonly disconnectedAt: string };

/** The account that a piece of work of the kind `accountDisconnected` is about, as it was. */
export function disconnectedAccount({
  payload,
}: Pick<WorkRequest, 'payload'>): DisconnectedAccount {
  return JSON.parse(payload);
}

/**
 * Ends the events of a disconnected account, and removes its figures. Whoever has connected it anew
 * meanwhile keeps the events: the network knows of one subscription only. Figures stay where it was
 * the organization that had it.
 *
 * @throws NetworkFailure for what may pass later.
 */
export async function settleDisconnection(work: Pick<WorkRequest, 'payload'>): Promise<void> {
  const account = disconnectedAccount(work);
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
