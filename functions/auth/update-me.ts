import { updateProfile } from '#lib/features/auth/profile.ts';
import { presentUser } from '#lib/features/users/users.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { updateMe } from '#schemas/auth.ts';

/** A new email address must be verified again. */
export const handler = endpoint(updateMe, async ({ caller, body, clientIp, reply }) => ({
  user: presentUser(await updateProfile(caller.userId, body, clientIp, reply.rateLimits)),
}));
