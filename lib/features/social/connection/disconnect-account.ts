import {
  planAccountEvent,
  planAccountWebhookRemoval,
} from '#lib/features/social/accounts/account-webhook.ts';
import {
  type FormerAccount,
  findSocialAccount,
  listSocialAccounts,
  requireSocialAccount,
  type SocialAccount,
  socialAccountNotFound,
} from '#lib/features/social/accounts/accounts.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  ConditionNotMetError,
  discard,
  put,
  remove,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { hasSameCredential, planMessagingCredentialRemoval } from './messaging-credential.ts';
import { planSubscriptionEnd } from './subscription.ts';

/**
 * Plans the cleanup for a removed account. It is stored with the claim instead of in the tenant's
 * partition, so that it survives the removal of the organization. Its payload has the account's
 * tokens, still encrypted.
 */
function planAftermath(account: SocialAccount): Write {
  return planWork('accountDisconnected', {
    owner: keys.socialAccountClaim(account.platform, account.platformUserId),
    payload: { ...account, disconnectedAt: timestamp() },
  });
}

/** Fails with a conflict if the tokens have changed: the cleanup needs the latest ones. */
function planAccountRemoval(account: SocialAccount): readonly Write[] {
  const { organizationId, id, platform, platformUserId, tokenVersion } = account;
  const key = keys.socialAccount(organizationId, id);

  return [
    remove(key, {
      when: allOf(equals('tokenVersion', tokenVersion), hasSameCredential(account)),
      refused: (stored) =>
        stored ? new ConditionNotMetError(key, stored) : socialAccountNotFound(),
    }),
    remove(keys.socialAccountClaim(platform, platformUserId), { when: equals('accountId', id) }),
    ...planMessagingCredentialRemoval(account),
    discard(keys.snapshotSchedule(organizationId, id)),
    discard(keys.commentsPoll(organizationId, id)),
    planSubscriptionEnd(account),
  ];
}

/**
 * Removes an account with its webhook subscription and notifies the receiver. From then on its
 * events are ignored, and another organization can connect it. Unsubscribing at the network and
 * canceling scheduled posts happen in the background.
 *
 * @throws 404 if the organization does not have the account.
 */
export function disconnectAccount(
  organizationId: string,
  actorId: string,
  accountId: string,
): Promise<void> {
  return retryWhenOvertaken('social account', async () =>
    disconnect(await requireSocialAccount(organizationId, accountId), actorId),
  );
}

async function disconnect(account: SocialAccount, actorId: string): Promise<void> {
  const { organizationId, id: accountId, platform, platformUserId, tokenVersion } = account;
  const former: FormerAccount = { accountId, tokenVersion };
  const event = await planAccountEvent(account, {
    type: 'account.disconnected',
    data: { platformUserId },
  });
  await write(
    ...planAccountRemoval(account),
    put(keys.formerSocialAccount(organizationId, platform, platformUserId), former),
    ...planAccountWebhookRemoval(organizationId, accountId),
    ...event,
    planAftermath(account),
    ...planAudit(organizationId, {
      action: 'social_account.disconnected',
      actorId,
      targetType: 'social_account',
      targetId: accountId,
      details: { platform, platformUserId },
    }),
  );
}

/** Disconnects all accounts of an organization that is being removed. Idempotent. */
export async function disconnectAllAccounts(organizationId: string): Promise<void> {
  for (const { id } of await listSocialAccounts(organizationId)) {
    await retryWhenOvertaken('social account', async () => {
      const account = await findSocialAccount(organizationId, id);
      if (account) {
        await disconnectPermanently(account);
      }
    });
  }
}

async function disconnectPermanently(account: SocialAccount): Promise<void> {
  await write(
    ...planAccountRemoval(account),
    ...planAccountWebhookRemoval(account.organizationId, account.id),
    planAftermath(account),
  );
}
