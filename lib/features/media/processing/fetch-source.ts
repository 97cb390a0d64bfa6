import { type Media, uploadKey } from '#lib/features/media/media.ts';
import { planMediaChange } from '#lib/features/media/media-writes.ts';
import { minuteMs, secondMs } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { fetchPublic } from '#lib/platform/outbound/fetch-public.ts';
import { OutboundError } from '#lib/platform/outbound/outbound-error.ts';
import { saveFile } from '#lib/platform/storage/files.ts';
import { maxVideoBytes } from '#schemas/media.ts';
import { InvalidMediaError } from './invalid-media-error.ts';

/** A gigabyte at 30 megabits per second. */
const fetchMs = 5 * minuteMs;
const waitsMs = [2 * secondMs, 10 * secondMs];

/**
 * Streams the file from its server to where uploads arrive. Failures that may pass are retried
 * twice.
 *
 * @throws InvalidMediaError if the server does not provide the file.
 */
export async function fetchSource(
  media: Media,
  url: string,
): Promise<{ readonly againInMs: number } | { readonly isFetched: true }> {
  const problem = await copySource(media, url);
  if (!problem) {
    return { isFetched: true };
  }
  const { fetchTries = 0 } = media;
  const againInMs = waitsMs[fetchTries];
  if (problem.isFinal || againInMs === undefined) {
    throw new InvalidMediaError(problem.reason);
  }
  await write(...planMediaChange(media, { fetchTries: fetchTries + 1 }).writes);

  return { againInMs };
}

type Problem = { readonly reason: string; readonly isFinal: boolean };

async function copySource(
  { organizationId, id }: Media,
  url: string,
): Promise<Problem | undefined> {
  try {
    const { status, body } = await fetchPublic(url, {
      timeoutMs: fetchMs,
      maxBytes: maxVideoBytes,
    });
    if (status !== 200) {
      body.destroy();

      return {
        reason: `The server of the file answered ${status}`,
        isFinal: status < 500 && status !== 429,
      };
    }
    const file = {
      key: uploadKey(organizationId, id),
      contentType: 'application/octet-stream',
      downloadName: id,
    };
    await saveFile(file, body);

    return undefined;
  } catch (failure) {
    if (failure instanceof OutboundError) {
      return {
        reason: `The file cannot be fetched: ${failure.message}`,
        isFinal: failure.kind === 'forbidden' || failure.kind === 'tooLarge',
      };
    }
    throw failure;
  }
}
