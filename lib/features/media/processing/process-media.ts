import {
  fileOfMedia,
  filesOfMedia,
  findMedia,
  keysOfFiles,
  type Media,
  uploadKey,
} from '#lib/features/media/media.ts';
import { planMediaChange, planMediaRemoval } from '#lib/features/media/media-writes.ts';
import { abandonedAfterMs } from '#lib/features/media/plan-processing.ts';
import { findMediaLimit, type StorageLimit } from '#lib/features/media/storage-used.ts';
import { joinUpload } from '#lib/features/media/upload-parts.ts';
import { minuteMs, now, secondMs } from '#lib/platform/clock.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { type Attributes, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { ApiError } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
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
import { fetchSource, UnavailableFileError } from './fetch-source.ts';
import { InvalidMediaError } from './invalid-media-error.ts';
import { type Checked, checkInThread } from './media-thread.ts';

/** Delays between tries, in case the storage or the file's server is briefly unavailable. */
const waitsMs = [10 * secondMs, minuteMs];
const maxTries = waitsMs.length + 1;
const notProcessed = 'The file could not be processed';

/**
 * Processes a media file that was uploaded or must be fetched. In any other state, deletes unneeded
 * stored files, and the media file itself if its upload was never completed. Every attempt stores
 * its result under a new name. Only the transaction that makes the media file READY records that
 * name. So an interrupted attempt is repeated, and an attempt that lost its lease changes nothing.
 * An attempt is counted before it begins, so that a file that crashes the function is REJECTED.
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

/** Deletes all files except those of READY media. */
async function removeLeftovers(organizationId: string, mediaId: string): Promise<void> {
  const media = await findMedia(organizationId, mediaId);
  if (media?.status === 'UPLOADING' || media?.status === 'PROCESSING') {
    return;
  }
  const kept = media?.status === 'READY' ? keysOfFiles(media) : [];
  await Promise.all([
    removeFiles(uploadKey(organizationId, mediaId)),
    removeFiles(filesOfMedia(organizationId, mediaId), (key) => kept.includes(key)),
  ]);
}

/** Makes the media file READY or REJECTED. */
async function settle(media: Media): Promise<WorkOutcome> {
  const tries = (media.tries ?? 0) + 1;
  if (tries > maxTries) {
    return reject(media, notProcessed);
  }
  const { after, writes } = planMediaChange(media, { tries });
  if (!(await writeIfMet(...writes))) {
    return 'unfinished';
  }
  try {
    const arrival = await findArrival(after);
    await store(arrival.media, arrival.file);

    return 'done';
  } catch (failure) {
    if (failure instanceof InvalidMediaError) {
      return reject(after, failure.message);
    }
    logger.warn('A medium was not processed', { tries, failure: describeFailure(failure) });
    const againInMs = waitsMs[tries - 1];
    const reason = failure instanceof UnavailableFileError ? failure.message : notProcessed;

    return againInMs === undefined ? reject(after, reason) : { againInMs };
  }
}

type Arrival = { readonly media: Media; readonly file: StoredFile };

/** Finds the uploaded file, or fetches it. */
async function findArrival(media: Media): Promise<Arrival> {
  const { organizationId, id, sourceUrl, bytes } = media;
  const isFetched = sourceUrl === undefined || bytes !== undefined;
  if (!isFetched) {
    await fetchSource(media, sourceUrl);
  } else {
    await joinUpload(media);
  }
  const file = await findFile(uploadKey(organizationId, id));
  if (!file) {
    throw new InvalidMediaError('The file is gone');
  }
  if (!isFetched) {
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
  try {
    return (await changeProcessed(media, { bytes, claimedBytes: bytes }, limit)) ?? media;
  } catch (failure) {
    throw failure instanceof ApiError && failure.kind === 'conflict'
      ? new InvalidMediaError(String(failure.publicMessage))
      : failure;
  }
}

async function store(media: Media, file: StoredFile): Promise<void> {
  const { bytes } = file;
  const checked = await checkInThread({
    bytes,
    read: (start, end) => readRange(file, start, end),
  });
  const storedBytes = checked.image?.byteLength ?? bytes;
  const ready = {
    ...factsOf(checked),
    status: 'READY',
    bytes: storedBytes,
    claimedBytes: storedBytes,
    storedName: `${newId()}.${checked.extension}`,
    tries: null,
  };
  const { organizationId, id } = media;
  const target = fileOfMedia({ organizationId, id, ...ready });
  const [jpeg] = await Promise.all([
    storeJpeg(media, checked),
    checked.image ? storeFile(target, checked.image) : copyPatched(file, target, checked.patches),
  ]);
  // If this fails, the media file was deleted or another attempt was faster. Leftovers are deleted
  // afterwards.
  await changeProcessed(media, { ...ready, ...(jpeg ? { jpeg } : {}) });
}

async function storeJpeg({ organizationId, id }: Media, { jpeg }: Checked): Promise<Media['jpeg']> {
  if (!jpeg) {
    return undefined;
  }
  const storedName = `${newId()}.jpg`;
  await storeFile(fileOfMedia({ organizationId, id, storedName, contentType: 'image/jpeg' }), jpeg);

  return { storedName, bytes: jpeg.byteLength };
}

function factsOf({ kind, contentType, width, height, durationSeconds }: Checked): {
  readonly kind: MediaKind;
} & Readonly<Record<string, unknown>> {
  return { kind, contentType, width, height, durationSeconds };
}

/** Releases the quota. */
async function reject(media: Media, failureReason: string): Promise<WorkOutcome> {
  await changeProcessed(media, {
    status: 'REJECTED',
    failureReason,
    claimedBytes: 0,
    tries: null,
  });

  return 'done';
}

/** Changes a media file while it is PROCESSING. Its other attributes may change concurrently. */
function changeProcessed(
  media: Media,
  set: Attributes,
  limit?: StorageLimit,
): Promise<Media | undefined> {
  let known: Media | undefined = media;

  return retryWhenOvertaken('media', async () => {
    const before = known ?? (await findMedia(media.organizationId, media.id));
    known = undefined;
    if (before?.status !== 'PROCESSING') {
      return undefined;
    }
    const { after, writes } = planMediaChange(before, set, limit);
    await write(...writes);

    return after;
  });
}
