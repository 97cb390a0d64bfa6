import { takeAccountSnapshot } from '#lib/social/figures/take-snapshot.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('accountSnapshot', async (work) => {
  await takeAccountSnapshot(work);

  return 'done';
});
