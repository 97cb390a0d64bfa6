import { deleteAccount } from '#lib/features/auth/deletion/delete-account.ts';
import { clearedAuthCookie } from '#lib/platform/http/cookies.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { deleteMe } from '#schemas/auth.ts';

/** When this returns, the account is deleted. A worker deletes the data of its organizations. */
export const handler = endpoint(deleteMe, async ({ caller, body, reply }) => {
  await deleteAccount(caller.userId, body, reply.rateLimits);
  reply.cookies(clearedAuthCookie());
});
