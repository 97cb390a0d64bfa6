import { timestamp } from '#lib/clock.ts';
import { notFound } from '#lib/errors/failures.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { findMembership } from '#lib/identity/identity.ts';
import { changeRole } from '#lib/organizations/members.ts';
import { listUsers } from '#lib/users/users.ts';
import { updateMemberRole } from '#schemas/organizations.ts';

/** Granting the OWNER role transfers ownership. */
export const handler = endpoint(
  updateMemberRole,
  async ({ organizationId, role, caller, params, body }) => {
    const actor = { userId: caller.userId, role };
    const [[member]] = await Promise.all([
      listUsers([params.user_id]),
      changeRole(organizationId, actor, params.user_id, body.role),
    ]);
    if (!member) {
      throw notFound('Member');
    }

    return {
      member: { id: member.userId, email: member.email, role: body.role, updatedAt: timestamp() },
      message: 'Member role updated successfully',
    };
  },
  { ahead: ({ organizationId, params }) => findMembership(organizationId, params.user_id) },
);
