import { handler } from '#functions/jobs/due-work.ts';
import { startLater } from './own-table.ts';
import { drainWork } from './work.ts';

/** Runs the scheduled sweep and the workers until no due work is left. */
export async function runDueWork(): Promise<void> {
  await drainWork();
  while ((await startLater(handler)).sent > 0) {
    await drainWork();
  }
}
