const named = String.raw`(?:[\w.-]+:)?[\w.-]*(?:gps|latitude|longitude|longtitude)[\w.-]*`;
const attribute = new RegExp(String.raw`\s${named}\s*=\s*(?:"[^"]*"|'[^']*')`, 'gi');
const element = new RegExp(
  String.raw`<(${named})(?:\s[^<>]*)?(?:/>|>[^<]*(?:<(?!/\1\s*>)[^<]*)*</\1\s*>)`,
  'gi',
);
const anything = /gps|latitude|longitude|longtitude/i;
/** Matching takes time in proportion to the number of names. A real packet has about 30. */
const maxNames = 500;

/**
 * Overwrites the position in an XMP packet with spaces, so that its length stays the same. Returns
 * false if a position may remain: then the packet has to go.
 */
export function blankPositionInXmp(packet: Buffer): boolean {
  // Each byte is one character, so that offsets are the same in both.
  const before = packet.toString('latin1');
  if (!mentionsPosition(before)) {
    return true;
  }
  if ([...before.matchAll(new RegExp(anything, 'gi'))].length > maxNames) {
    return false;
  }
  const after = before
    .replace(element, (found) => ' '.repeat(found.length))
    .replace(attribute, (found) => ' '.repeat(found.length));
  packet.write(after, 'latin1');

  return !mentionsPosition(after);
}

/** Also true for texts in UTF-16 or UTF-32. */
export function mentionsPosition(text: string): boolean {
  return anything.test(text.replaceAll('\0', ''));
}
