import { timestamp } from '#lib/clock.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { changeRole } from '#lib/organizations/members.ts';
import { requireUser } from '#lib/users/users.ts';
import { updateMemberRole } from '#schemas/organizations.ts';

/** Making somebody OWNER is how ownership is transferred. */
export const handler = endpoint(
  updateMemberRole,
  async ({ organizationId, role, caller, params, body }) => {
    const actor = { userId: caller.userId, role };
    await changeRole(organizationId, actor, params.user_id, body.role);
    const { userId, email } = await requireUser(params.user_id);

    return {
      member: { id: userId, email, role: body.role, updatedAt: timestamp() },
      message: 'Member role updated successfully',
    };
  },
);
