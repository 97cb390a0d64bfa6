import { type Media, uploadKey } from '#lib/features/media/media.ts';
import { minuteMs } from '#lib/platform/clock.ts';
import { fetchPublic } from '#lib/platform/outbound/fetch-public.ts';
import { OutboundError } from '#lib/platform/outbound/outbound-error.ts';
import { saveFile } from '#lib/platform/storage/files.ts';
import { maxVideoBytes } from '#schemas/media-limits.ts';
import { InvalidMediaError } from './invalid-media-error.ts';

/** Enough for a gigabyte at 30 megabits per second. */
const fetchMs = 5 * minuteMs;

/** Thrown if the server may provide the file later. */
export class UnavailableFileError extends Error {}

/**
 * Streams the file into the upload bucket. Retries transient failures twice.
 *
 * @throws InvalidMediaError, or UnavailableFileError for a transient failure.
 */
export async function fetchSource({ organizationId, id }: Media, url: string): Promise<void> {
  try {
    const { status, body } = await fetchPublic(url, {
      timeoutMs: fetchMs,
      maxBytes: maxVideoBytes,
    });
    if (status !== 200) {
      body.destroy();
      throw problem(`The server of the file answered ${status}`, status < 500 && status !== 429);
    }
    const file = {
      key: uploadKey(organizationId, id),
      contentType: 'application/octet-stream',
      downloadName: id,
    };
    await saveFile(file, body);
  } catch (failure) {
    if (failure instanceof OutboundError) {
      throw problem(
        `The file cannot be fetched: ${failure.message}`,
        failure.kind === 'forbidden' || failure.kind === 'tooLarge',
      );
    }
    throw failure;
  }
}

function problem(reason: string, isFinal: boolean): Error {
  return isFinal ? new InvalidMediaError(reason) : new UnavailableFileError(reason);
}
