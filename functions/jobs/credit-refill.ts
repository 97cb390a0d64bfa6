import type { Context } from 'aws-lambda';
import { checkRefills } from '#lib/features/billing/refills/check-refills.ts';

/** Every five minutes. */
export function handler(
  _event: unknown,
  context: Context,
): Promise<{ readonly checked: number; readonly begun: number }> {
  return checkRefills(() => context.getRemainingTimeInMillis());
}
