import * as z from 'zod';
import type { NetworkSettings } from '../network-definition.ts';
import type { NetworkWorld } from '../network-world.ts';
import { perWorld } from '../per-world.ts';

const settings = z.strictObject({
  /** Videos of a project without an audit are locked to private. */
  isAudited: z.boolean(),
  dailyUnits: z.int().min(0),
  dailyUploads: z.int().min(0),
});

type Project = z.output<typeof settings>;

const projects = perWorld((): { current: Project } => ({
  // YouTube's default quota.
  current: { isAudited: true, dailyUnits: 10_000, dailyUploads: 100 },
}));

/** Returns the service's API project. */
export function projectOf(world: NetworkWorld): Project {
  return projects(world).current;
}

/** Changes the service's API project. */
export const projectSettings: NetworkSettings = {
  schema: settings.partial(),
  apply: (world, changes) => {
    const state = projects(world);
    state.current = settings.parse({ ...state.current, ...changes });
  },
};
