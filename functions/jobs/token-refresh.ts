import type { Context } from 'aws-lambda';
import {
  type RefreshReport,
  refreshDueTokens,
} from '#lib/features/social/tokens/refresh-due-tokens.ts';
import { job } from '#lib/platform/work/job.ts';

/** Every 15 minutes. */
export const handler = job(
  'tokenRefresh',
  (_event: unknown, context: Context): Promise<RefreshReport> =>
    refreshDueTokens(() => context.getRemainingTimeInMillis()),
);
