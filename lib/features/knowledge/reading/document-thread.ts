import { secondMs } from '#lib/platform/clock.ts';
import { inThread, ThreadLimitError } from '#lib/platform/work/in-thread.ts';
import type { DocumentType } from '#schemas/knowledge.ts';
import { passagesOfText } from '../passages.ts';
import { readDocument } from './read-document.ts';
import { UnreadableContentError } from './unreadable-content-error.ts';

type Document = {
  readonly bytes: Uint8Array;
  readonly type: DocumentType;
  /** The charset from the server's response. */
  readonly charset?: string | undefined;
};

const readInThread = inThread({
  name: 'readDocument',
  file: import.meta.filename,
  // A PDF of 2,000 pages takes a few seconds.
  timeoutMs: 30 * secondMs,
  // Objects and buffers together must leave room for the function itself, which has 1,024 MB.
  memoryMb: 400,
  rejection: UnreadableContentError,
  run: async ({ bytes, type, charset }: Document) =>
    passagesOfText(await readDocument(bytes, type, charset)),
});

/**
 * Returns the passages of a document, at most 30 seconds later.
 *
 * @throws UnreadableContentError
 */
export async function passagesOfDocument(document: Document): Promise<readonly string[]> {
  try {
    return await readInThread(document);
  } catch (failure) {
    throw failure instanceof ThreadLimitError
      ? new UnreadableContentError('The document takes too long or too much memory to read')
      : failure;
  }
}
