import type { NetworkWorld } from './network-world.ts';

/** Creates network-specific state that lives as long as a world. A reset discards both. */
export function perWorld<T>(make: () => T): (world: NetworkWorld) => T {
  const kept = new WeakMap<NetworkWorld, T>();

  return (world) => {
    const known = kept.get(world);

    if (known !== undefined) {
      return known;
    }

    const made = make();
    kept.set(world, made);

    return made;
  };
}
