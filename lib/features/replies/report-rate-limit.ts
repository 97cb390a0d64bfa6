import { findConversation } from '#lib/features/conversations/conversations.ts';
import { listOwnerAddresses } from '#lib/features/organizations/members.ts';
import {
  areRepliesLimited,
  findSocialAccount,
  limitedReplyPeriodMs,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { now, timestamp } from '#lib/platform/clock.ts';
import { absent, below, either } from '#lib/platform/db/conditions.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { repliesLimitedMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { platformNames } from '#lib/vendors/networks/capabilities.ts';

/**
 * Marks the account as limited, which shows an alert in the organization's health, and emails the
 * owners. Happens at most once a day per account, however many replies are stopped.
 */
export async function reportRateLimit(
  organizationId: string,
  conversationId: string,
): Promise<void> {
  const conversation = await findConversation(organizationId, conversationId);
  const account =
    conversation && (await findSocialAccount(organizationId, conversation.socialAccountId));
  if (!account || areRepliesLimited(account)) {
    return;
  }
  const mails = await planMails(account);
  const yesterday = new Date(now() - limitedReplyPeriodMs).toISOString();
  await writeIfMet(
    change(socialKeys.socialAccount(organizationId, account.id), {
      set: { repliesLimitedAt: timestamp() },
      when: either(absent('repliesLimitedAt'), below('repliesLimitedAt', yesterday)),
    }),
    ...mails,
  );
}

async function planMails({ organizationId, platform, platformUserName }: SocialAccount) {
  const addresses = await listOwnerAddresses(organizationId);

  return Promise.all(
    addresses.map((to) =>
      planMail(
        organizationKeys.organization(organizationId),
        repliesLimitedMail({
          to,
          platformName: platformNames[platform],
          accountName: platformUserName,
        }),
      ),
    ),
  );
}
