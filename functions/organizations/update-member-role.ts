import { changeRole } from '#lib/features/organization-lifecycle/change-role.ts';
import { listUsers } from '#lib/features/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
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
    };
  },
);
