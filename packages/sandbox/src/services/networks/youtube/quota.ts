import type { NetworkWorld } from '../network-world.ts';
import { perWorld } from '../per-world.ts';
import { projectOf } from './project.ts';

type Used = { readonly day: string; readonly units: number; readonly uploads: number };

const used = perWorld((): { current: Used } => ({ current: { day: '', units: 0, uploads: 0 } }));
const pacificDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' });

/**
 * Charges a call to the daily quota, which resets at midnight Pacific Time. Returns false if the
 * quota is exhausted.
 */
export function takeUnits(
  world: NetworkWorld,
  { units = 0, uploads = 0 }: { readonly units?: number; readonly uploads?: number },
): boolean {
  const { dailyUnits, dailyUploads } = projectOf(world);
  const state = used(world);
  const day = pacificDay.format(world.clock());
  const before = state.current.day === day ? state.current : { day, units: 0, uploads: 0 };
  const after = { day, units: before.units + units, uploads: before.uploads + uploads };

  if (after.units > dailyUnits || after.uploads > dailyUploads) {
    return false;
  }

  state.current = after;

  return true;
}
