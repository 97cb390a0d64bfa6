import { listOwnerAddresses } from '#lib/features/organizations/members.ts';
import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { accountInactiveMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { platformNames } from '#lib/vendors/networks/capabilities.ts';

/**
 * Marks an account with an invalid token as inactive, emails the owners and writes the audit log,
 * all in one transaction. Does nothing if the account has a newer token or is already inactive.
 *
 * @returns the current account; `undefined` if it is no longer connected.
 */
export async function deactivateAccount(
  account: SocialAccount,
  inactiveReason: string,
): Promise<SocialAccount | undefined> {
  const { organizationId, id, tokenVersion } = account;
  const mails = await planMails(account, inactiveReason);
  await writeIfMet(
    change(keys.socialAccount(organizationId, id), {
      set: {
        isActive: false,
        inactiveReason,
        refreshLeaseUntil: null,
        isRefreshUncertain: null,
        duePk: null,
        dueAt: null,
        updatedAt: timestamp(),
      },
      when: allOf(equals('tokenVersion', tokenVersion), equals('isActive', true)),
    }),
    ...mails,
    ...planAudit(organizationId, {
      action: 'social_account.deactivated',
      actorId: null,
      targetType: 'social_account',
      targetId: id,
      details: { reason: inactiveReason },
    }),
  );

  return findSocialAccount(organizationId, id);
}

async function planMails(account: SocialAccount, reason: string) {
  const { organizationId, platform, platformUserName } = account;
  const addresses = await listOwnerAddresses(organizationId);

  return Promise.all(
    addresses.map((to) =>
      planMail(
        keys.organization(organizationId),
        accountInactiveMail({
          to,
          platformName: platformNames[platform],
          accountName: platformUserName,
          reason,
        }),
      ),
    ),
  );
}
