import { updateProfile } from '#lib/auth/profile.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { presentUser } from '#lib/users/users.ts';
import { updateMe } from '#schemas/auth.ts';

/** A new email address must be verified again. */
export const handler = endpoint(updateMe, async ({ caller, body, reply }) => ({
  user: presentUser(await updateProfile(caller.userId, body, reply.rateLimits)),
  message: 'User updated successfully',
}));
