import { cancelPostsOfAccount } from '#lib/content/cancel-posts.ts';
import { findSocialAccount } from '#lib/social/accounts.ts';
import { disconnectedAccount, settleDisconnection } from '#lib/social/settle-disconnection.ts';
import { worker } from '#lib/work/worker.ts';

/** Cleans up after a disconnected account. Every step can be repeated. */
export const handler = worker('accountDisconnected', async (work) => {
  const { organizationId, id, disconnectedAt } = disconnectedAccount(work);
  const isBack = (await findSocialAccount(organizationId, id)) !== undefined;
  await cancelPostsOfAccount(organizationId, id, {
    reason: 'The social account has been disconnected',
    until: isBack ? disconnectedAt : undefined,
  });
  await settleDisconnection(work);

  return 'done';
});
