import { sweepDueWork } from '#lib/platform/work/sweep-due-work.ts';

/** Every minute. */
export async function handler(): Promise<{ readonly sent: number }> {
  return { sent: await sweepDueWork() };
}
