import type { NetworkWorld } from '../network-world.ts';
import { perWorld } from '../per-world.ts';

/** A project's daily quota, extended from the default of 10,000 units and 100 uploads. */
const unitsADay = 1_000_000;
const uploadsADay = 10_000;

type Used = { readonly day: string; readonly units: number; readonly uploads: number };

const used = perWorld((): { current: Used } => ({ current: { day: '', units: 0, uploads: 0 } }));
const pacificDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' });

/**
 * Takes a call's cost from the daily quota, which resets at midnight Pacific. Returns false if the
 * quota is used up.
 */
export function takeUnits(
  world: NetworkWorld,
  { units = 0, uploads = 0 }: { readonly units?: number; readonly uploads?: number },
): boolean {
  const book = used(world);
  const day = pacificDay.format(world.clock());
  const before = book.current.day === day ? book.current : { day, units: 0, uploads: 0 };
  const after = { day, units: before.units + units, uploads: before.uploads + uploads };

  if (after.units > unitsADay || after.uploads > uploadsADay) {
    return false;
  }

  book.current = after;

  return true;
}
