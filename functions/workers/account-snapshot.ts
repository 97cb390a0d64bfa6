import { takeAccountSnapshot } from '#lib/features/social/metrics/take-snapshot.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { accountSnapshotWork } from '#schemas/work-payloads.ts';

export const handler = worker('accountSnapshot', accountSnapshotWork, async ({ payload }) => {
  await takeAccountSnapshot(payload);

  return 'done';
});
