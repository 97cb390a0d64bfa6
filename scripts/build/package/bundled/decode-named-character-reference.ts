/**
 * Replaces `decode-named-character-reference` in bundles. `plainText` does not let micromark read
 * character references, and the table of their names is 36 KB.
 */
export function decodeNamedCharacterReference(): false {
  return false;
}
