import {
  fileOfMedia,
  filesOfMedia,
  findMedia,
  type Media,
  uploadKey,
} from '#lib/features/media/media.ts';
import { findMediaLimit } from '#lib/features/media/media-usage.ts';
import { planMediaChange, planMediaRemoval } from '#lib/features/media/media-writes.ts';
import { abandonedAfterMs } from '#lib/features/media/plan-processing.ts';
import { now } from '#lib/platform/clock.ts';
import { ConditionNotMetError, write } from '#lib/platform/db/write.ts';
import { ApiError } from '#lib/platform/errors/api-error.ts';
import { newId } from '#lib/platform/ids.ts';
import { removeFiles } from '#lib/platform/storage/files.ts';
import {
  copyPatched,
  findFile,
  readRange,
  type StoredFile,
  storeFile,
} from '#lib/platform/storage/stored-files.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import type { MediaKind } from '#schemas/media.ts';
import { fetchSource } from './fetch-source.ts';
import { type Inspected, inspectMedia } from './inspect-media.ts';
import { InvalidMediaError } from './invalid-media-error.ts';

/**
 * Processes a medium that was uploaded or has to be fetched. For one in any other state, deletes
 * the files that it does not need, and the medium itself if its upload was never completed. Every
 * attempt stores its result under a new name, which only the transaction that makes the medium READY
 * records. So an interrupted attempt is repeated, and one that lost its lease changes nothing.
 */
export async function processMedia({
  payload: { organizationId, mediaId },
}: WorkRequest<'mediaProcessing'>): Promise<WorkOutcome> {
  const media = await findMedia(organizationId, mediaId);
  if (media?.status === 'UPLOADING') {
    const againInMs = Date.parse(media.createdAt) + abandonedAfterMs - now();
    if (againInMs > 0) {
      return { againInMs };
    }
    await write(...planMediaRemoval(media));
  }
  if (media?.status === 'PROCESSING') {
    const outcome = await settle(media);
    if (outcome !== 'done') {
      return outcome;
    }
  }
  await removeLeftovers(organizationId, mediaId);

  return 'done';
}

/** Deletes everything but the file of a medium that is READY. */
async function removeLeftovers(organizationId: string, mediaId: string): Promise<void> {
  const media = await findMedia(organizationId, mediaId);
  if (media?.status === 'UPLOADING' || media?.status === 'PROCESSING') {
    return;
  }
  const kept = media?.status === 'READY' ? fileOfMedia(media).key : undefined;
  await Promise.all([
    removeFiles(uploadKey(organizationId, mediaId)),
    removeFiles(filesOfMedia(organizationId, mediaId), (key) => key === kept),
  ]);
}

/** Makes the medium READY or REJECTED. */
async function settle(media: Media): Promise<WorkOutcome> {
  try {
    const arrival = await findArrival(media);
    if ('againInMs' in arrival) {
      return arrival;
    }
    await store(arrival.media, arrival.file);
  } catch (failure) {
    if (failure instanceof InvalidMediaError) {
      await reject(media, failure.message);
    } else if (!(failure instanceof ConditionNotMetError)) {
      throw failure;
    }
    // Otherwise the medium was changed, processed or deleted concurrently.
    return failure instanceof InvalidMediaError ? 'done' : 'unfinished';
  }

  return 'done';
}

type Arrival = { readonly media: Media; readonly file: StoredFile };

/** Finds the uploaded file, or fetches it. */
async function findArrival(media: Media): Promise<Arrival | { readonly againInMs: number }> {
  const { organizationId, id, sourceUrl, bytes } = media;
  if (sourceUrl !== undefined && bytes === undefined) {
    const fetched = await fetchSource(media, sourceUrl);
    if ('againInMs' in fetched) {
      return fetched;
    }
  }
  const file = await findFile(uploadKey(organizationId, id));
  if (!file) {
    throw new InvalidMediaError('The file is gone');
  }
  if (sourceUrl !== undefined && bytes === undefined) {
    return { media: await claim(media, file.bytes), file };
  }
  if (file.bytes !== bytes) {
    throw new InvalidMediaError(`The file has ${file.bytes} bytes, and ${bytes} were announced`);
  }

  return { media, file };
}

/** Counts the size of a fetched file for the quota. */
async function claim(media: Media, bytes: number): Promise<Media> {
  const limit = await findMediaLimit(media.organizationId);
  const { after, writes } = planMediaChange(media, { bytes, claimedBytes: bytes }, limit);
  try {
    await write(...writes);
  } catch (failure) {
    throw failure instanceof ApiError && failure.kind === 'conflict'
      ? new InvalidMediaError(String(failure.publicMessage))
      : failure;
  }

  return after;
}

async function store(media: Media, file: StoredFile): Promise<void> {
  const { bytes } = file;
  const inspected = await inspectMedia({
    bytes,
    read: (start, end) => readRange(file, start, end),
  });
  const storedBytes = inspected.image?.byteLength ?? bytes;
  const storedName = `${newId()}.${inspected.extension}`;
  const { after, writes } = planMediaChange(media, {
    ...factsOf(inspected),
    status: 'READY',
    bytes: storedBytes,
    claimedBytes: storedBytes,
    storedName,
  });
  const target = fileOfMedia(after);
  if (inspected.image) {
    await storeFile(target, inspected.image);
  } else {
    await copyPatched(file, target, inspected.patches);
  }
  try {
    await write(...writes);
  } catch (failure) {
    // If this fails too, the work that is due a day after the upload deletes the file.
    await removeFiles(target.key).catch(() => undefined);
    throw failure;
  }
}

function factsOf({ kind, contentType, width, height, durationSeconds }: Inspected): {
  readonly kind: MediaKind;
} & Readonly<Record<string, unknown>> {
  return { kind, contentType, width, height, durationSeconds };
}

/** Releases the quota. Retried if the medium has been changed since. */
async function reject(media: Media, failureReason: string): Promise<void> {
  const latest = await findMedia(media.organizationId, media.id);
  if (latest?.status !== 'PROCESSING') {
    return;
  }
  const { writes } = planMediaChange(latest, {
    status: 'REJECTED',
    failureReason,
    claimedBytes: 0,
  });
  await write(...writes);
}
