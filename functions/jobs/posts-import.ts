import type { Context } from 'aws-lambda';
import {
  type ImportReport,
  importDuePosts,
} from '#lib/features/content/importing/import-due-posts.ts';
import { job } from '#lib/platform/work/job.ts';

/** Runs every hour. Each account is due once a day. */
export const handler = job(
  'postsImport',
  (_event: unknown, context: Context): Promise<ImportReport> =>
    importDuePosts(() => context.getRemainingTimeInMillis()),
);
