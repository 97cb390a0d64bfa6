import type { NetworkWorld } from '../network-world.ts';
import { perWorld } from '../per-world.ts';

/** What a project has a day: an extension of the usual 10,000 units and 100 uploads. */
const unitsADay = 1_000_000;
const uploadsADay = 10_000;

type Used = { readonly day: string; readonly units: number; readonly uploads: number };

const used = perWorld((): { current: Used } => ({ current: { day: '', units: 0, uploads: 0 } }));
const pacificDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' });

/** Takes what a call costs of the project's day, which begins at midnight Pacific, if it is there. */
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
