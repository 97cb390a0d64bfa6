import { connectAccount } from '#lib/features/content/publishing/connect-account.ts';
import { publishAccount } from '#lib/features/content/publishing/publish-account.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('contentPublish', publishAccount(connectAccount));
