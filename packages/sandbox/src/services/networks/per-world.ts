import type { NetworkWorld } from './network-world.ts';

/**
 * State of a single network, in addition to the shared state. A reset discards it together with the
 * world.
 */
export function perWorld<T>(make: (world: NetworkWorld) => T): (world: NetworkWorld) => T {
  const states = new WeakMap<NetworkWorld, T>();

  return (world) => {
    const known = states.get(world);

    if (known !== undefined) {
      return known;
    }

    const made = make(world);
    states.set(world, made);

    return made;
  };
}
