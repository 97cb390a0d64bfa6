import { write } from '#lib/db/write.ts';
import { changeOrganization, createMembership } from '#lib/organizations/organizations.ts';
import type { Role } from '#schemas/contract.ts';

/** Makes somebody a member. */
export async function seat(organizationId: string, userId: string, role: Role): Promise<void> {
  const joinedAt = new Date().toISOString();
  await write(
    ...createMembership({ organizationId, userId, role, joinedAt }),
    changeOrganization(organizationId, {
      add: { memberCount: 1, ...(role === 'OWNER' ? { ownerCount: 1 } : {}) },
    }),
  );
}
