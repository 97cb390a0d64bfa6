import type { Meter } from '#scripts/dynamodb-proxy/meter.ts';
import { billingParts } from './billing-scenes.ts';
import type { PartRecording } from './recording.ts';
import { createWorld } from './world.ts';

/** Measures what functions have in common, each by itself. */
export async function recordParts(
  meter: Meter,
  sandboxUrl: string,
): Promise<readonly PartRecording[]> {
  const world = createWorld(sandboxUrl);
  const recordings: PartRecording[] = [];
  for (const [name, part] of Object.entries(billingParts)) {
    const work = await part(world);
    recordings.push({ name, meter: await meter.measure(work) });
  }

  return recordings;
}
