import { planAccountEvent } from '#lib/features/social/accounts/account-events.ts';
import { planAccountWebhookRemoval } from '#lib/features/social/accounts/account-webhook.ts';
import {
  type FormerAccount,
  findSocialAccount,
  listSocialAccounts,
  requireSocialAccount,
  type SocialAccount,
  socialAccountNotFound,
} from '#lib/features/social/accounts/accounts.ts';
import { planGrant } from '#lib/features/social/accounts/granted-accounts.ts';
import { credentialsOf, sealToken } from '#lib/features/social/accounts/token-holder.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { systemKeys } from '#lib/platform/db/keys/system.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { discard, put, remove, type Write, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { hasSameCredential, planMessagingCredentialRemoval } from './messaging-credential.ts';
import { planSubscriptionEnd } from './webhook-subscription.ts';

/**
 * Plans the cleanup for a removed account. It is stored with the claim instead of in the
 * organization's partition, so that it survives the removal of the organization. Its payload
 * contains the account's tokens, still encrypted.
 */
async function planAftermath({ refreshToken: _, ...account }: SocialAccount): Promise<Write> {
  const owner = socialKeys.socialAccountClaim(account.platform, account.platformUserId);
  const workId = newId();
  const accessToken = await tokenFor(
    systemKeys.outbox(owner, 'accountDisconnected', workId),
    account,
  );

  return planWork('accountDisconnected', {
    owner,
    workId,
    payload: { ...account, accessToken, disconnectedAt: timestamp() },
  });
}

/**
 * Encrypts the token again, for the work item. If the token cannot be decrypted, the account is
 * disconnected without it.
 */
async function tokenFor(work: Key, account: SocialAccount): Promise<string> {
  try {
    return await sealToken(work, 'accessToken', (await credentialsOf(account)).accessToken);
  } catch (failure) {
    logger.warn('The token of a disconnected account is unreadable', {
      accountId: account.id,
      failure: describeFailure(failure),
    });

    return account.accessToken;
  }
}

/** Fails with a conflict if the tokens have changed, because the cleanup needs the latest ones. */
function planAccountRemoval(account: SocialAccount): readonly Write[] {
  const { organizationId, id, platform, platformUserId, tokenVersion } = account;
  const key = socialKeys.socialAccount(organizationId, id);

  return [
    remove(key, {
      when: allOf(equals('tokenVersion', tokenVersion), hasSameCredential(account)),
      onConditionFailed: (stored) =>
        stored ? new ConditionNotMetError(key, stored) : socialAccountNotFound(),
    }),
    remove(socialKeys.socialAccountClaim(platform, platformUserId), {
      when: equals('accountId', id),
    }),
    ...planMessagingCredentialRemoval(account),
    ...planGrant(account, undefined),
    discard(socialKeys.snapshotSchedule(organizationId, id)),
    discard(socialKeys.importSchedule(organizationId, id)),
    discard(socialKeys.commentsPoll(organizationId, id)),
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
  const [event, aftermath] = await Promise.all([
    planAccountEvent(account, { type: 'account.disconnected', data: { platformUserId } }),
    planAftermath(account),
  ]);
  await write(
    ...planAccountRemoval(account),
    put(socialKeys.formerSocialAccount(organizationId, platform, platformUserId), former),
    ...planAccountWebhookRemoval(organizationId, accountId),
    ...event,
    aftermath,
    ...planAudit(organizationId, {
      action: 'social_account.disconnected',
      actorId,
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
    await planAftermath(account),
  );
}
