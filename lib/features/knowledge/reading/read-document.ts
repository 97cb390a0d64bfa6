import { storableText } from '#lib/platform/characters.ts';
import type { DocumentType } from '#schemas/knowledge.ts';
import { maxPassageLength, maxPassages } from '../passages.ts';
import { textOfHtml } from './html-text.ts';
import { textOfPdf } from './pdf-text.ts';
import { countLost, decodings } from './text-encoding.ts';
import { UnreadableContentError } from './unreadable-content-error.ts';

/** Longer text would exceed the organization's passage limit. */
const maxTextLength = maxPassages * maxPassageLength;

const pdfSignature = '%PDF-';

/** With a wrong charset, a larger share of the text cannot be decoded. */
const maxLostShare = 0.01;

/**
 * Returns the text of a document. Markdown is kept, because the AI reads it as well as text.
 *
 * @param charset the charset from the server's response.
 * @throws UnreadableContentError
 */
export async function readDocument(
  bytes: Uint8Array,
  type: DocumentType,
  charset?: string,
): Promise<string> {
  if (type === 'application/pdf') {
    return textOfPdf(bytes, maxTextLength);
  }
  if (startOf(bytes) === pdfSignature) {
    throw new UnreadableContentError('The file is a PDF, and another type was announced');
  }
  const text = decode(bytes, type, charset);
  if (text.length > maxTextLength) {
    throw new UnreadableContentError('The file has too much text');
  }

  return text;
}

function decode(bytes: Uint8Array, type: DocumentType, charset: string | undefined): string {
  for (const decoded of decodings(bytes, type, charset)) {
    if (decoded.includes('\u0000')) {
      throw new UnreadableContentError('The file is not text');
    }
    const text = type === 'text/html' ? textOfHtml(decoded) : decoded;
    if (countLost(text) <= Math.max(1, text.length * maxLostShare)) {
      return storableText(text);
    }
  }
  throw new UnreadableContentError(
    'The text cannot be decoded in the character encoding that it announces',
  );
}

function startOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, pdfSignature.length)).toString('latin1');
}

/** Determines the type of a server's response. */
export function typeOfAnswer(bytes: Uint8Array, contentType: string): DocumentType {
  const [type = ''] = contentType.toLowerCase().split(';');
  if (type.trim() === 'application/pdf' || startOf(bytes) === pdfSignature) {
    return 'application/pdf';
  }
  if (/html|xml/.test(type)) {
    return 'text/html';
  }
  if (type.startsWith('text/') || type === '') {
    return 'text/plain';
  }
  throw new UnreadableContentError('The URL leads to neither text, HTML nor a PDF');
}
