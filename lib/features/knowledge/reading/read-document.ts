import { storableText } from '#lib/platform/characters.ts';
import type { DocumentType } from '#schemas/knowledge.ts';
import { maxPassages } from '../knowledge-usage.ts';
import { maxPassageLength } from '../passages.ts';
import { textOfHtml } from './html-text.ts';
import { textOfPdf } from './pdf-text.ts';
import { UnreadableContentError } from './unreadable-content-error.ts';

/** More text than this has more passages than an organization may have. */
const maxTextLength = maxPassages * maxPassageLength;

const pdfSignature = '%PDF-';

/**
 * Returns the text of a document. Markdown stays as it is: the AI reads it as well as text.
 *
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
  const text = decode(bytes, charset);

  return type === 'text/html' ? textOfHtml(text) : text;
}

function startOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, pdfSignature.length)).toString('latin1');
}

/** Determines the type of what a server sends. */
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

export function charsetOf(contentType: string): string | undefined {
  return /charset="?([\w.:-]+)/i.exec(contentType)?.[1];
}

/** @throws UnreadableContentError for what is no text. */
function decode(bytes: Uint8Array, charset = charsetOfMark(bytes)): string {
  const text = decoderFor(charset).decode(bytes);
  if (text.includes('\u0000')) {
    throw new UnreadableContentError('The file is not text');
  }

  return storableText(text);
}

/** UTF-16 begins with a byte order mark. */
function charsetOfMark([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) {
    return 'utf-16le';
  }

  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
