import type { Context } from 'aws-lambda';
import { checkRefills } from '#lib/features/billing/refills/check-refills.ts';
import { job } from '#lib/platform/work/job.ts';

/** Every five minutes. */
export const handler = job('creditRefill', (_event: unknown, context: Context) =>
  checkRefills(() => context.getRemainingTimeInMillis()),
);
