import type { NetworkWorld } from './network-world.ts';

/** Something that one network keeps beside what all have; a reset forgets it with the world. */
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
