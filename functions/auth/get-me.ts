import { readMe } from '#lib/features/auth/me.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getMe } from '#schemas/auth.ts';

/** Returns the user with all memberships and the session's current organization. */
export const handler = endpoint(getMe, async ({ caller, selected }) => ({
  user: await readMe(caller.session, selected?.organizationId),
}));
