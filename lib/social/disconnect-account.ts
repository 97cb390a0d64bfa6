import { auditWrites } from '#lib/audit/audit-log.ts';
import { equals } from '#lib/db/conditions.ts';
import { keys } from '#lib/db/keys.ts';
import { ConditionNotMet, discard, remove, type Write, write } from '#lib/db/write.ts';
import { planWork, type Work } from '#lib/work/outbox.ts';
import { accountEvent, planAccountWebhookRemoval } from './account-webhook.ts';
import {
  listSocialAccounts,
  requireSocialAccount,
  type SocialAccount,
  socialAccountNotFound,
} from './accounts.ts';
import { planSubscriptionEnd } from './subscription.ts';

/**
 * What is left to do for an account that is gone. It lies beside the claim, not in the tenant's
 * partition: it outlives an organization that is removed. The account's tokens are in it as they
 * were stored, sealed.
 */
function planAftermath(account: SocialAccount): Work {
  return planWork('accountDisconnected', {
    owner: keys.socialAccountClaim(account.platform, account.platformUserId),
    payload: JSON.stringify(account),
  });
}

function removalWrites(account: SocialAccount): readonly Write[] {
  const { organizationId, id, platform, platformUserId } = account;

  return [
    remove(keys.socialAccount(organizationId, id), { refused: socialAccountNotFound }),
    remove(keys.socialAccountClaim(platform, platformUserId), { when: equals('accountId', id) }),
    discard(keys.snapshotSchedule(organizationId, id)),
    discard(keys.commentsPoll(organizationId, id)),
    planSubscriptionEnd(account),
  ];
}

/**
 * Removes an account with its subscription, whose receiver is told. From then on its events are not
 * taken, and another organization can connect it; the network is told, and what was scheduled is
 * canceled, in the background.
 *
 * @throws 404 for an account that the organization does not have.
 */
export async function disconnectAccount(
  organizationId: string,
  actorId: string,
  accountId: string,
): Promise<void> {
  const account = await requireSocialAccount(organizationId, accountId);
  const aftermath = planAftermath(account);
  const { platform, platformUserId } = account;
  const event = await accountEvent(account, {
    type: 'account.disconnected',
    data: { platformUserId },
  });
  await write(
    ...removalWrites(account),
    ...planAccountWebhookRemoval(organizationId, accountId),
    ...event.writes,
    aftermath.write,
    ...auditWrites(organizationId, {
      action: 'social_account.disconnected',
      actorId,
      targetType: 'social_account',
      targetId: accountId,
      details: { platform, platformUserId },
    }),
  );
  await Promise.all([aftermath.dispatch(), event.dispatch()]);
}

/** Disconnects all accounts of an organization that is being removed. It may be called again. */
export async function disconnectAllAccounts(organizationId: string): Promise<void> {
  for (const account of await listSocialAccounts(organizationId)) {
    const aftermath = planAftermath(account);
    try {
      await write(
        ...removalWrites(account),
        ...planAccountWebhookRemoval(organizationId, account.id),
        aftermath.write,
      );
    } catch (failure) {
      if (!(failure instanceof ConditionNotMet)) {
        throw failure;
      }
    }
    await aftermath.dispatch();
  }
}
