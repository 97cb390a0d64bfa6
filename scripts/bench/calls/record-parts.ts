import type { Meter } from '#scripts/dynamodb-proxy/meter.ts';
import type { Golden } from '../golden/golden.ts';
import { parts } from './parts.ts';
import { recordAsCheapAsKnown } from './record-as-cheap-as-known.ts';
import type { PartRecording } from './recording.ts';

type PartsOptions = {
  readonly meter: Meter;
  readonly known: Golden['functions'];
};

/** Measures operations that several functions share, separately. */
export async function recordParts({
  meter,
  known,
}: PartsOptions): Promise<readonly PartRecording[]> {
  const recordings: PartRecording[] = [];
  for (const [name, part] of Object.entries(parts)) {
    const record = async () => ({ name, meter: await meter.measure(await part()) });
    recordings.push(await recordAsCheapAsKnown(known[name], record));
  }

  return recordings;
}
