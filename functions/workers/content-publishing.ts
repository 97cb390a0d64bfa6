import { publishAccount } from '#lib/features/content/publishing/publish-account.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { contentPublishWork } from '#schemas/work-payloads.ts';

export const handler = worker('contentPublish', contentPublishWork, publishAccount);
