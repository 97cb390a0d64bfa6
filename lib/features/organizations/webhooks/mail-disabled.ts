import { listNotifiedAddresses } from '#lib/features/organizations/members.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { remove } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { webhookDisabledMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';

/**
 * Emails the members who want to be notified that a webhook was switched off. The transaction that
 * plans the mails removes the work, so they are planned once.
 */
export async function mailDisabledWebhook({
  key,
  payload: { organizationId, url, reason },
}: WorkRequest<'webhookDisabled'>): Promise<'done'> {
  const addresses = await listNotifiedAddresses(organizationId, 'webhookDisabled');
  const mails = await Promise.all(
    addresses.map((to) =>
      planMail(
        organizationKeys.organization(organizationId),
        webhookDisabledMail({ to, url, reason }),
      ),
    ),
  );
  await writeIfMet(remove(key), ...mails);

  return 'done';
}
