import { takeAccountSnapshot } from '#lib/features/social/metrics/take-snapshot.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('accountSnapshot', async (work) => {
  await takeAccountSnapshot(work);

  return 'done';
});
