import { cancelPostsOfAccount } from '#lib/features/content/cancel-posts.ts';
import { findSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { finishDisconnection } from '#lib/features/social/connection/finish-disconnection.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { accountDisconnectedWork } from '#schemas/work-payloads.ts';

/** Cleans up after a disconnected account. Every step can be repeated. */
export const handler = worker(
  'accountDisconnected',
  accountDisconnectedWork,
  async ({ key, payload: account }) => {
    const { organizationId, id, disconnectedAt } = account;
    const isBack = (await findSocialAccount(organizationId, id)) !== undefined;
    await cancelPostsOfAccount(organizationId, id, {
      reason: 'The social account has been disconnected',
      until: isBack ? disconnectedAt : undefined,
    });
    await finishDisconnection({ ...account, ...key });

    return 'done';
  },
);
