import { storeAttachments } from '#lib/features/social/conversations/store-attachments.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { attachmentsWork } from '#schemas/work-payloads.ts';

export const handler = worker('attachments', attachmentsWork, storeAttachments);
