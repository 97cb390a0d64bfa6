import type { DocumentType } from '#schemas/knowledge.ts';

/** Browsers search the first 1,024 bytes for a charset, and start again if they find one later. */
const searchedBytes = 4_096;

/**
 * Decodes a text with the most likely charset first. As in browsers, a byte order mark takes
 * precedence over the server's and the document's charset. Without any charset, the text is UTF-8
 * or, if that is invalid, windows-1252.
 */
export function* decodings(
  bytes: Uint8Array,
  type: DocumentType,
  announced: string | undefined,
): Generator<string, void, undefined> {
  const decoders = [
    decoderFor(charsetOfMark(bytes) ?? wideCharset(bytes)),
    decoderFor(announced),
    ...decodersInDocument(bytes, type),
  ].filter((decoder) => decoder !== undefined);
  const distinct = new Map(decoders.map((decoder) => [decoder.encoding, decoder]));
  for (const decoder of distinct.values()) {
    yield decoder.decode(bytes);
  }
  if (distinct.size === 0) {
    yield guess(bytes);
  }
}

/** Returns the charset of a `content-type`. */
export function charsetOf(contentType: string): string | undefined {
  return /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(contentType)?.[1];
}

function charsetOfMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) {
    return 'utf-16le';
  }
  if (first === 0xfe && second === 0xff) {
    return 'utf-16be';
  }

  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

/**
 * Returns the first charset of each kind of declaration. Each additional one would decode the whole
 * document again.
 */
function decodersInDocument(
  bytes: Uint8Array,
  type: DocumentType,
): ReadonlyArray<TextDecoder | undefined> {
  if (type !== 'text/html') {
    return [];
  }
  const start = Buffer.from(bytes.subarray(0, searchedBytes))
    .toString('latin1')
    .replaceAll(/<!--.*?(?:-->|$)/gs, '');

  return [
    /^\s*<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/gi,
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/gi,
  ].map((declaration) => {
    for (const [, charset = ''] of start.matchAll(declaration)) {
      // If this declaration is readable, the document is not UTF-16, even if it says so.
      const decoder = decoderFor(/^utf-?16/i.test(charset) ? 'utf-8' : charset);
      if (decoder) {
        return decoder;
      }
    }

    return undefined;
  });
}

/** Returns `undefined` for a charset that does not exist. */
function decoderFor(charset: string | undefined): TextDecoder | undefined {
  try {
    return charset === undefined ? undefined : new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

function guess(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  const lost = countLost(text);

  // A text that was cut inside a character is still UTF-8.
  return lost === 0 || text.replaceAll(/[\p{ASCII}\ufffd]+/gu, '').length > lost * 10
    ? text
    : new TextDecoder('windows-1252').decode(bytes);
}

/**
 * In UTF-16, a space, digit or line break has two bytes, and always the same one of them is zero.
 */
function wideCharset(bytes: Uint8Array): string | undefined {
  const start = bytes.subarray(0, searchedBytes);
  const zeros = [0, 1].map(
    (rest) => start.filter((byte, index) => byte === 0 && index % 2 === rest).length,
  );
  const [even = 0, odd = 0] = zeros;
  const isWide = (even === 0) !== (odd === 0) && (even + odd) * 50 >= start.length / 2;
  if (!isWide || bytes.length % 2 !== 0) {
    return undefined;
  }

  return odd > 0 ? 'utf-16le' : 'utf-16be';
}

/** Counts the characters that could not be decoded. */
export function countLost(text: string): number {
  return text.split('\ufffd').length - 1;
}
