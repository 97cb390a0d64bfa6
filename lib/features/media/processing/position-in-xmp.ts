const anything = /gps|latitude|longitude|longtitude/i;
const attributes = /\s([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/g;

/**
 * Overwrites the position in an XMP packet with spaces, so that its length does not change. Returns
 * false if a position may remain. Then the packet must be removed.
 */
export function blankPositionInXmp(packet: Buffer): boolean {
  // Each byte becomes one character, so that offsets are the same in both.
  const before = packet.toString('latin1');
  if (!mentionsPosition(before)) {
    return true;
  }
  const after = withoutPosition(before);
  packet.write(after, 'latin1');

  return !mentionsPosition(after);
}

/** Also true for texts in UTF-16 or UTF-32. */
export function mentionsPosition(text: string): boolean {
  return anything.test(text.replaceAll('\0', ''));
}

/** Blanks elements and attributes by name. Each search begins where the last one ended. */
function withoutPosition(text: string): string {
  const pieces: string[] = [];
  let kept = 0;
  const blank = (start: number, end: number) => {
    pieces.push(text.slice(kept, start), ' '.repeat(end - start));
    kept = end;
  };
  for (let start = text.indexOf('<'); start >= 0; start = text.indexOf('<', kept)) {
    const end = text.indexOf('>', start) + 1;
    if (end === 0) {
      break;
    }
    const tag = text.slice(start, end);
    const name = /^<[^\s/>]*/.exec(tag)?.[0].slice(1) ?? '';
    if (anything.test(name)) {
      const elementEnd = tag.endsWith('/>') ? end : endOfElement(text, name, end);
      if (elementEnd === undefined) {
        break;
      }
      blank(start, elementEnd);
    } else {
      for (const { 0: whole, 1: attribute = '', index } of tag.matchAll(attributes)) {
        if (anything.test(attribute)) {
          blank(start + index, start + index + whole.length);
        }
      }
      pieces.push(text.slice(kept, end));
      kept = end;
    }
  }

  return [...pieces, text.slice(kept)].join('');
}

function endOfElement(text: string, name: string, from: number): number | undefined {
  const endTag = `</${name}`;
  const rest = /\s*>/y;
  for (let at = text.indexOf(endTag, from); at >= 0; at = text.indexOf(endTag, at + 1)) {
    rest.lastIndex = at + endTag.length;
    if (rest.test(text)) {
      return rest.lastIndex;
    }
  }

  return undefined;
}
