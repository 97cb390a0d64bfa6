import { deleteAccount } from '#lib/features/auth/deletion/delete-account.ts';
import { clearedAuthCookie } from '#lib/platform/http/cookies.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { deleteMe } from '#schemas/auth.ts';

/** The account is gone when this returns. A worker deletes its organizations' data. */
export const handler = endpoint(deleteMe, async ({ caller, body, reply }) => {
  await deleteAccount(caller.userId, body, reply.rateLimits);
  reply.cookies(clearedAuthCookie());
});
