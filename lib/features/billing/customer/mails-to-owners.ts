import { listUsers } from '#lib/features/users/users.ts';
import { organizationKeys, organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import { get, query } from '#lib/platform/db/read.ts';
import type { Write } from '#lib/platform/db/write.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import type { Mail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { utc } from '#lib/platform/time-zone.ts';

/** Keeps the transaction well below DynamoDB's limit of 100 writes. */
const maxMails = 20;

export type Addressee = {
  readonly to: string;
  readonly organizationName: string;
  readonly timezone: string;
};

/** Plans one email per owner, to be written in the same transaction as the event they report. */
export async function planMailsToOwners(
  organizationId: string,
  mailTo: (owner: Addressee) => Mail,
): Promise<readonly Write[]> {
  const organizationKey = organizationKeys.organization(organizationId);
  const [members, organization] = await Promise.all([
    query<Membership>(organizationRanges.members(organizationId)),
    get<{ name: string; timezone?: string }>(organizationKey),
  ]);
  const ownerIds = members.filter(({ role }) => role === 'OWNER').map(({ userId }) => userId);
  const owners = await listUsers(ownerIds.slice(0, maxMails));
  const { name: organizationName = '', timezone = utc } = organization ?? {};

  return Promise.all(
    owners.map(({ email: to }) =>
      planMail(organizationKey, mailTo({ to, organizationName, timezone })),
    ),
  );
}
