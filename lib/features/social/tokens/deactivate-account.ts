import { listNotifiedAddresses } from '#lib/features/organizations/members.ts';
import { planAccountStateEvent } from '#lib/features/social/accounts/account-events.ts';
import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import {
  findTokenHolder,
  type TokenHolder,
  tokenHolderKey,
} from '#lib/features/social/accounts/token-holder.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { accountInactiveMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { platformNames } from '#lib/vendors/networks/capabilities.ts';

/**
 * Marks a holder with an invalid token as inactive, emails the owners and writes the audit log, all
 * in one transaction. Does not affect the account's other token. Does nothing if the holder has a
 * newer token or is already inactive.
 *
 * @returns the current state of the holder; `undefined` if the account is no longer connected.
 */
export async function deactivateAccount<Holder extends TokenHolder>(
  holder: Holder,
  inactiveReason: string,
): Promise<Holder | undefined> {
  const { organizationId, id, tokenVersion, purpose } = holder;
  const updatedAt = timestamp();
  const [mails, event] = await Promise.all([
    planMails(holder, inactiveReason),
    purpose === undefined
      ? planAccountStateEvent('account.inactive', {
          ...(holder as unknown as SocialAccount),
          isActive: false,
          inactiveReason,
          updatedAt,
        })
      : [],
  ]);
  await writeIfMet(
    change(tokenHolderKey(holder), {
      set: {
        isActive: false,
        inactiveReason,
        refreshLeaseUntil: null,
        isRefreshUncertain: null,
        duePk: null,
        dueAt: null,
        updatedAt,
      },
      when: allOf(equals('tokenVersion', tokenVersion), equals('isActive', true)),
    }),
    ...(purpose === undefined
      ? []
      : [
          change(socialKeys.socialAccount(organizationId, id), {
            set: { messaging: 'EXPIRED', updatedAt },
          }),
        ]),
    ...mails,
    ...event,
    ...planAudit(organizationId, {
      action:
        purpose === undefined ? 'social_account.deactivated' : 'social_account.messaging_expired',
      actorId: null,
      targetId: id,
      details: { reason: inactiveReason },
    }),
  );

  return findTokenHolder(holder);
}

async function planMails(holder: TokenHolder, reason: string) {
  const { organizationId, id, platform, purpose } = holder;
  const [addresses, account] = await Promise.all([
    listNotifiedAddresses(organizationId, 'accountInactive'),
    purpose === undefined ? (holder as SocialAccount) : findSocialAccount(organizationId, id),
  ]);

  return Promise.all(
    addresses.map((to) =>
      planMail(
        organizationKeys.organization(organizationId),
        accountInactiveMail({
          to,
          platformName: platformNames[platform],
          accountName: account?.platformUserName ?? '',
          reason,
          lost: purpose === undefined ? 'all' : 'messages',
        }),
      ),
    ),
  );
}
