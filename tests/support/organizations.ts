import { planOrganization } from '#lib/features/organization-lifecycle/create-organization.ts';
import type { Organization } from '#lib/features/organizations/organizations.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { write } from '#lib/platform/db/write.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import type { Role } from '#schemas/contract.ts';
import { inviteMember } from '#schemas/organizations.ts';
import { seat } from '#scripts/fixtures/seat.ts';
import type { Account } from './accounts.ts';
import { call } from './api.ts';
import { mailsTo, tokenIn } from './mails.ts';
import { storedItems } from './table.ts';

type Seat = readonly [account: Pick<Account, 'userId'>, role: Role];

/** Creates an organization for the owner with these members, without invitations. */
export async function organizationWith(
  owner: Pick<Account, 'userId'>,
  seats: readonly Seat[] = [],
): Promise<string> {
  const { organization, writes } = planOrganization({ name: 'Difference Engines' }, owner.userId);
  const { organizationId } = organization;
  await write(...writes);
  for (const [{ userId }, role] of seats) {
    await seat(organizationId, userId, role);
  }

  return organizationId;
}

/** Sends an invitation and returns its id and the token from the mail. */
export async function inviteByMail(
  inviter: Pick<Account, 'token'>,
  organizationId: string,
  body: { readonly email: string; readonly role: Role; readonly message?: string },
): Promise<{ readonly id: string; readonly token: string }> {
  const answer = await call(inviteMember, {
    params: { organization_id: organizationId },
    token: inviter.token,
    body,
  });
  if (answer.status !== 201) {
    throw new Error(`The invitation answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  const [mail] = await mailsTo(body.email);

  return { id: answer.body.invitation.id, token: tokenIn(mail) };
}

/** Returns an organization's stored memberships: its own side, the users' side, and the counts. */
export async function membershipsOf(organizationId: string) {
  const items = (await storedItems()) as ReadonlyArray<
    Partial<Membership & Organization> & { readonly pk: string; readonly sk: string }
  >;
  const members = items.filter((item) => isMemberItem(item, organizationId));
  const mirrored = items.filter((item) => isMirrorItem(item, organizationId));
  const record = items.find((item) => isAt(item, keys.organization(organizationId)));
  const seats = (list: typeof items) =>
    list.map(({ userId, role }) => `${userId} ${role}`).toSorted();

  return {
    seats: seats(members),
    mirroredSeats: seats(mirrored),
    memberCount: record?.memberCount,
    ownerCount: record?.ownerCount,
    owners: members.filter(({ role }) => role === 'OWNER').length,
  };
}

type Placed = { readonly pk: string; readonly sk: string; readonly userId?: string };

function isAt(item: Placed, key: Placed): boolean {
  return item.pk === key.pk && item.sk === key.sk;
}

function isMemberItem(item: Placed, organizationId: string): boolean {
  return item.userId !== undefined && isAt(item, keys.member(organizationId, item.userId));
}

function isMirrorItem(item: Placed, organizationId: string): boolean {
  return item.userId !== undefined && isAt(item, keys.userMembership(item.userId, organizationId));
}
