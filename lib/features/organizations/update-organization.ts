import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { isNotYet } from '#lib/platform/db/changes-something.ts';
import { allOf, type Condition, unchanged } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { organizationKeys, organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import { query } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { type Write, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/organizations.ts';
import { type Organization, planOrganizationChange, requireOrganization } from './organizations.ts';
import { planRetention } from './retention-schedule.ts';
import { noRevocations, planRevocations, type Revocations } from './revocations.ts';

export type OrganizationPatch = BodyOf<typeof contracts.updateOrganization>;

/**
 * Updates the given fields. `settings` are merged with the current ones. Values that are already
 * set cause no write. Turning off `allowMemberInvites` revokes the pending invitations of members.
 */
export async function updateOrganization(
  organizationId: string,
  actorId: string,
  patch: OrganizationPatch,
): Promise<Organization> {
  const changes = changesOf(patch);
  if (Object.values(changes).some((value) => value !== undefined)) {
    const retention = planRetention(organizationId, patch.settings?.retentionDays);
    const planWrites = (also: Also) => [
      ...planUpdate(organizationId, actorId, changes, also),
      ...retention,
    ];
    if (patch.settings?.allowMemberInvites === false) {
      await endMemberInvites(organizationId, planWrites);
    } else {
      await writeIfMet(...planWrites({ ...noRevocations }));
    }
  }

  return requireOrganization(organizationId);
}

type Changes = Readonly<Record<string, unknown>>;
type Also = Revocations & { readonly when?: Condition };

function changesOf({ settings = {}, ...fields }: OrganizationPatch): Changes {
  return {
    ...fields,
    ...Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`settings.${name}`, value]),
    ),
  };
}

function planUpdate(
  organizationId: string,
  actorId: string,
  changes: Changes,
  { writes, details, when }: Also,
): readonly Write[] {
  const key = organizationKeys.organization(organizationId);
  const isNew = isNotYet(changes);

  return [
    planOrganizationChange(organizationId, {
      set: { ...changes, updatedAt: timestamp() },
      when: when ? allOf(isNew, when) : isNew,
      onConditionFailed: (stored) => new ConditionNotMetError(key, stored),
    }),
    ...writes,
    ...planAudit(organizationId, {
      action: 'organization.updated',
      actorId,
      details: {
        fields: Object.keys(changes).filter((name) => changes[name] !== undefined),
        ...details,
      },
    }),
  ];
}

/**
 * Retries if a member was allowed to invite, or invited somebody, after their invitations were
 * read. Keeps invitations from owners and admins.
 */
async function endMemberInvites(
  organizationId: string,
  planWrites: (also: Also) => readonly Write[],
): Promise<void> {
  await retryWhenOvertaken('organization', async () => {
    const { settings, inviteVersion } = await requireOrganization(organizationId);
    if (!settings.allowMemberInvites) {
      await writeIfMet(...planWrites({ ...noRevocations }));

      return;
    }
    // Read after the version: a demotion that these roles do not show has changed the version.
    const members = await query<Membership>(organizationRanges.members(organizationId));
    const makers = new Set(
      members.filter(({ role }) => role === 'MEMBER').map(({ userId }) => userId),
    );
    const revocations = await planRevocations(organizationId, ({ invitedBy }) =>
      makers.has(invitedBy),
    );
    await write(...planWrites({ ...revocations, when: unchanged('inviteVersion', inviteVersion) }));
  });
}
