import type { Context } from 'aws-lambda';
import { planAllSnapshots } from '#lib/social/figures/snapshot-schedule.ts';

/** Every hour. */
export async function handler(
  _event: unknown,
  context: Context,
): Promise<{ readonly planned: number }> {
  return { planned: await planAllSnapshots(() => context.getRemainingTimeInMillis()) };
}
