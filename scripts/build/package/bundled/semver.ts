/**
 * Takes the place of `semver` in bundles. jsonwebtoken asks it whether Node is newer than version 16,
 * and no other question; the library is 29 KB.
 */
export function satisfies(): true {
  return true;
}
