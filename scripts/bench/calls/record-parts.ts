import type { Meter } from '#scripts/dynamodb-proxy/meter.ts';
import type { Golden } from '../golden/golden.ts';
import { billingParts } from './billing-scenes.ts';
import { recordAsCheapAsKnown } from './record-as-cheap-as-known.ts';
import type { PartRecording } from './recording.ts';
import { createWorld } from './world.ts';

type PartsOptions = {
  readonly meter: Meter;
  readonly sandboxUrl: string;
  readonly known: Golden['functions'];
};

/** Measures operations that several functions share, separately. */
export async function recordParts({
  meter,
  sandboxUrl,
  known,
}: PartsOptions): Promise<readonly PartRecording[]> {
  const world = createWorld(sandboxUrl);
  const recordings: PartRecording[] = [];
  for (const [name, part] of Object.entries(billingParts)) {
    const record = async () => ({ name, meter: await meter.measure(await part(world)) });
    recordings.push(await recordAsCheapAsKnown(known[name], record));
  }

  return recordings;
}
