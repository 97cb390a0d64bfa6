import {
  planMembership,
  planOrganizationChange,
} from '#lib/features/organizations/organizations.ts';
import { timestamp } from '#lib/platform/clock.ts';
import type { Role } from '#schemas/contract.ts';
import { plant } from './plant.ts';

/** Makes a user a member. */
export async function seat(organizationId: string, userId: string, role: Role): Promise<void> {
  const joinedAt = timestamp();
  await plant(
    ...planMembership({ organizationId, userId, role, joinedAt }),
    planOrganizationChange(organizationId, {
      add: { memberCount: 1, ...(role === 'OWNER' ? { ownerCount: 1 } : {}) },
    }),
  );
}
