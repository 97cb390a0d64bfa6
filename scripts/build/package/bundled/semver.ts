/**
 * Replaces `semver` in bundles. jsonwebtoken only uses it to check for Node 16 or newer, and the
 * library is 29 KB.
 */
export function satisfies(): true {
  return true;
}
