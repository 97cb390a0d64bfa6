import * as z from 'zod';
import type { NetworkSettings } from '../network-definition.ts';
import type { NetworkWorld } from '../network-world.ts';
import { perWorld } from '../per-world.ts';

const settings = z.strictObject({
  /** Deliveries contain ids as numbers, as in Meta's own samples. */
  numericIds: z.boolean(),
});

type Form = z.output<typeof settings>;

const forms = perWorld((): { current: Form } => ({ current: { numericIds: false } }));

/** Returns the format of the network's deliveries. */
export function formOf(world: NetworkWorld): Form {
  return forms(world).current;
}

/** Changes the format of the network's deliveries. */
export const formSettings: NetworkSettings = {
  schema: settings.partial(),
  apply: (world, changes) => {
    const state = forms(world);
    state.current = settings.parse({ ...state.current, ...changes });
  },
};
