import * as z from 'zod';
import type { NetworkSettings } from '../network-definition.ts';
import type { NetworkWorld } from '../network-world.ts';
import { perWorld } from '../per-world.ts';

const settings = z.strictObject({
  /** Self-serve plans may only reply to posts that mention the account explicitly. */
  isSelfServe: z.boolean(),
  /** Event types that this app may not subscribe to. */
  rejectedEvents: z.array(z.string()),
  /**
   * X rejects a text that repeats a recent post of the account. Off by default, so that tests
   * notice duplicates.
   */
  rejectsDuplicates: z.boolean(),
});

type App = z.output<typeof settings>;

const apps = perWorld((): { current: App } => ({
  current: { isSelfServe: false, rejectedEvents: [], rejectsDuplicates: false },
}));

/** Returns the plan of the service's app. */
export function planOf(world: NetworkWorld): App {
  return apps(world).current;
}

/** Changes the plan of the service's app. */
export const appSettings: NetworkSettings = {
  schema: settings.partial(),
  apply: (world, changes) => {
    const state = apps(world);
    state.current = settings.parse({ ...state.current, ...changes });
  },
};
