import { connectAccount } from '#lib/content/publishing/connect-account.ts';
import { publishAccount } from '#lib/content/publishing/publish-account.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('contentPublish', publishAccount(connectAccount));
