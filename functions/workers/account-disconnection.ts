import { settleDisconnection } from '#lib/social/settle-disconnection.ts';
import { worker } from '#lib/work/worker.ts';

/** What is done once an account is gone: each step may be done again. */
export const handler = worker('accountDisconnected', async (work) => {
  await settleDisconnection(work);

  return 'done';
});
