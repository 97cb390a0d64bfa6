import { handler } from '#functions/jobs/due-work.ts';
import { drainWork } from './work.ts';

/** The scheduled sweep, and then the workers, until nothing that is due is left. */
export async function runDueWork(): Promise<void> {
  await drainWork();
  while ((await handler()).sent > 0) {
    await drainWork();
  }
}
