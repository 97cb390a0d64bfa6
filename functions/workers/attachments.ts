import { renewCopies } from '#lib/features/erasure/renew-copies.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { attachmentsWork } from '#schemas/work-payloads.ts';

export const handler = worker('attachments', attachmentsWork, renewCopies);
