import { auditWrites } from '#lib/audit/audit-log.ts';
import { timestamp } from '#lib/clock.ts';
import { allOf, equals } from '#lib/db/conditions.ts';
import { keys } from '#lib/db/keys.ts';
import { change } from '#lib/db/write.ts';
import { writeIfMet } from '#lib/db/write-if-met.ts';
import { accountInactiveMail } from '#lib/mail/mails.ts';
import { planMail } from '#lib/mail/outgoing-mail.ts';
import { listOwnerAddresses } from '#lib/organizations/members.ts';
import { findSocialAccount, type SocialAccount } from '#lib/social/accounts.ts';
import { platformNames } from '#lib/social/networks/capabilities.ts';

/**
 * Marks an account whose token is dead, tells the owners by mail, and notes it in the audit log, all
 * in one transaction. An account that has a newer token by now, or is marked already, stays as it is.
 *
 * @returns the account as it then is; `undefined` where it is not connected any more.
 */
export async function deactivateAccount(
  account: SocialAccount,
  inactiveReason: string,
): Promise<SocialAccount | undefined> {
  const { organizationId, id, tokenVersion } = account;
  const mails = await planMails(account, inactiveReason);
  const isNews = await writeIfMet(
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
    ...mails.map((mail) => mail.write),
    ...auditWrites(organizationId, {
      action: 'social_account.deactivated',
      actorId: null,
      targetType: 'social_account',
      targetId: id,
      details: { reason: inactiveReason },
    }),
  );
  if (isNews) {
    await Promise.all(mails.map((mail) => mail.dispatch()));
  }

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
