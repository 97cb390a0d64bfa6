import { secondMs } from '#lib/platform/clock.ts';
import { fetchPublic, readBody } from '#lib/platform/outbound/fetch-public.ts';
import { OutboundError } from '#lib/platform/outbound/outbound-error.ts';
import { maxDocumentBytes } from '#schemas/knowledge.ts';
import { UnreadableContentError } from './unreadable-content-error.ts';

const fetchMs = 20 * secondMs;

/** Thrown if a later attempt may succeed. */
export class UnavailablePageError extends Error {}

type FetchedPage = { readonly bytes: Buffer; readonly contentType: string };

/** @throws UnreadableContentError, or UnavailablePageError for a transient failure. */
export async function fetchPage(url: string): Promise<FetchedPage> {
  try {
    const { status, headers, body } = await fetchPublic(url, {
      timeoutMs: fetchMs,
      maxBytes: maxDocumentBytes,
      headers: { accept: 'text/html, text/plain, text/markdown, application/pdf' },
    });
    if (status !== 200) {
      body.destroy();
      const reason = `The server answered ${status}`;
      throw status >= 500 || status === 429
        ? new UnavailablePageError(reason)
        : new UnreadableContentError(reason);
    }

    return { bytes: await readBody(body), contentType: headers['content-type'] ?? '' };
  } catch (failure) {
    if (failure instanceof OutboundError) {
      const reason = `The URL cannot be read: ${failure.message}`;
      throw failure.kind === 'forbidden' || failure.kind === 'tooLarge'
        ? new UnreadableContentError(reason)
        : new UnavailablePageError(reason);
    }
    throw failure;
  }
}
