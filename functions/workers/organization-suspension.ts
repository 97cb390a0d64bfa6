import { applySuspension } from '#lib/features/operators/suspension.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { suspensionWork } from '#schemas/work-payloads.ts';

export const handler = worker('suspension', suspensionWork, applySuspension);
