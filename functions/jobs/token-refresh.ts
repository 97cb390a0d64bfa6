import type { Context } from 'aws-lambda';
import {
  type RefreshReport,
  refreshDueTokens,
} from '#lib/features/social/tokens/refresh-due-tokens.ts';

/** Every 15 minutes. */
export function handler(_event: unknown, context: Context): Promise<RefreshReport> {
  return refreshDueTokens(() => context.getRemainingTimeInMillis());
}
