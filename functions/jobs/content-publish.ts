import { startPublishing } from '#lib/features/content/publishing/start-publishing.ts';

/** Every minute. */
export async function handler(): Promise<{ readonly accounts: number }> {
  return { accounts: await startPublishing() };
}
