import { client, isNotFound, type Media, PageError, SocialLeadsError } from '../service.ts';
import { draftPrefix } from './draft-storage.ts';

const firstWaitMs = 300;
const longestWaitMs = 3_000;
const reconnectMs = 2_000;
/** The links of parts are valid for an hour. A slow connection needs longer for a gigabyte. */
const linksMs = 45 * 60_000;
/** Enough to tell two files of the same size apart. */
const comparedBytes = 1_000_000;

export type UploadState =
  | { readonly kind: 'sending' | 'paused' | 'offline'; readonly sentBytes: number }
  | { readonly kind: 'processing' }
  | { readonly kind: 'done'; readonly media: Media }
  | { readonly kind: 'failed'; readonly error: unknown };

export type Upload = {
  /** Undefined before the service knows the upload. */
  readonly mediaId: () => string | undefined;
  readonly pause: () => void;
  /** Continues after a pause or a failure, with the missing parts. */
  readonly resume: () => void;
  /** Also deletes what has arrived: it would count for the quota for a day. */
  readonly cancel: () => Promise<void>;
};

type Part = { readonly offset: number; readonly bytes: number; readonly url: string };

/** The connection was lost. This is not a failure: the upload continues by itself. */
class Disconnected extends Error {}

/**
 * Uploads an image or video to the media library, directly to the storage and in parts. After a
 * pause, a failure, a lost connection or a reload, it sends only the missing parts.
 *
 * @param begun the medium whose upload started before a reload
 */
export function startUpload(
  organizationId: string,
  file: File,
  onChange: (state: UploadState) => void,
  begun?: Media,
): Upload {
  const idempotencyKey = crypto.randomUUID();
  let mediaId = begun?.id;
  let creating = begun && Promise.resolve(begun.id);
  let sentBytes = 0;
  let stopping = new AbortController();

  const show = (state: UploadState) => stopping.signal.aborted || onChange(state);
  const create = async () => {
    creating ??= createMedia(organizationId, file, idempotencyKey);
    try {
      mediaId = await creating;

      return mediaId;
    } catch (error) {
      creating = undefined;
      throw error;
    }
  };
  const sendParts = async (id: string, signal: AbortSignal): Promise<void> => {
    const untilMs = Date.now() + linksMs;
    const parts = await missingParts(organizationId, id, signal);
    sentBytes = file.size - parts.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const part of parts) {
      if (Date.now() > untilMs) {
        return sendParts(id, signal);
      }
      const before = sentBytes;
      await put(file, part, signal, (loaded) =>
        show({ kind: 'sending', sentBytes: before + loaded }),
      );
      sentBytes = before + part.bytes;
    }
  };
  const send = async (signal: AbortSignal) => {
    const id = await create();
    await sendParts(id, signal);
    show({ kind: 'processing' });
    await client.media.completeUpload({ organizationId, mediaId: id }, { signal });
    localStorage.removeItem(checksumKey(id));
    show({ kind: 'done', media: await processed(organizationId, id) });
  };
  const run = async () => {
    const { signal } = stopping;
    for (;;) {
      show({ kind: 'sending', sentBytes });
      try {
        return await send(signal);
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        if (!isDisconnected(error)) {
          return show({ kind: 'failed', error });
        }
        show({ kind: 'offline', sentBytes });
        await connection(signal);
      }
    }
  };
  void run();

  return {
    mediaId: () => mediaId,
    pause: () => {
      stopping.abort();
      onChange({ kind: 'paused', sentBytes });
    },
    resume: () => {
      stopping.abort();
      stopping = new AbortController();
      void run();
    },
    cancel: async () => {
      stopping.abort();
      const id = await creating?.catch(() => undefined);
      if (id !== undefined) {
        await removeMedia(organizationId, id);
      }
    },
  };
}

/**
 * Uploads a file, and waits until it is processed.
 *
 * @throws if the upload or the processing fails.
 */
export function uploadMedia(organizationId: string, file: File): Promise<Media> {
  return new Promise((resolve, reject) => {
    const upload = startUpload(organizationId, file, (state) => {
      if (state.kind === 'done') {
        resolve(state.media);
      } else if (state.kind === 'failed') {
        reject(state.error);
      } else if (state.kind === 'offline') {
        upload.pause();
        reject(new PageError('The file couldn’t be uploaded. Check your connection.'));
      }
    });
  });
}

async function createMedia(organizationId: string, file: File, idempotencyKey: string) {
  const checksum = await checksumOf(file);
  const { media } = await client.media.createUpload(
    {
      organizationId,
      fileName: file.name,
      contentType: file.type || 'application/octet-stream',
      bytes: file.size,
    },
    { idempotencyKey },
  );
  localStorage.setItem(checksumKey(media.id), checksum);

  return media.id;
}

function checksumKey(mediaId: string): string {
  return `${draftPrefix}upload:${mediaId}`;
}

/** @throws PageError if the file was changed, moved or deleted after it was chosen. */
async function read(part: Blob): Promise<ArrayBuffer> {
  try {
    return await part.arrayBuffer();
  } catch {
    throw new PageError('The file can’t be read any more. Choose it again.');
  }
}

async function checksumOf(file: File): Promise<string> {
  const bytes = await read(file.slice(0, comparedBytes));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Compares a file with the one whose upload began: with its checksum in the browser where it began,
 * with its name in others.
 *
 * @throws PageError
 */
export async function requireSameFile({ id, fileName, bytes }: Media, file: File): Promise<void> {
  const checksum = localStorage.getItem(checksumKey(id));
  const isSame = checksum === null ? file.name === fileName : checksum === (await checksumOf(file));
  if (!isSame || file.size !== bytes) {
    throw new PageError(`This is another file. Choose ${fileName} as it was before.`);
  }
}

async function removeMedia(organizationId: string, mediaId: string): Promise<void> {
  localStorage.removeItem(checksumKey(mediaId));
  try {
    await client.media.delete({ organizationId, mediaId });
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
  }
}

/** Returns none if the upload was completed: the response to that can have been lost. */
async function missingParts(
  organizationId: string,
  mediaId: string,
  signal: AbortSignal,
): Promise<readonly Part[]> {
  try {
    return (await client.media.getUpload({ organizationId, mediaId }, { signal })).parts;
  } catch (error) {
    if (error instanceof SocialLeadsError && error.code === 'WRONG_STATE') {
      return [];
    }
    throw error;
  }
}

/** Sends a part. `fetch` does not report progress. */
async function put(
  file: File,
  { offset, bytes, url }: Part,
  signal: AbortSignal,
  onProgress: (loaded: number) => void,
): Promise<void> {
  const part = file.slice(offset, offset + bytes);
  await read(part.slice(0, 1));
  const status = await new Promise<number>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = () => resolve(request.status);
    request.onerror = () => reject(new Disconnected());
    request.onabort = () => reject(new Disconnected());
    signal.addEventListener('abort', () => request.abort());
    request.send(part);
  });
  if (status >= 400) {
    throw new PageError(`The storage rejected the file (${status}).`);
  }
}

function isDisconnected(error: unknown): boolean {
  return error instanceof Disconnected || (error instanceof SocialLeadsError && error.status === 0);
}

/** Waits for a moment, or until the browser is online again. */
async function connection(signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  await new Promise((resolve) => {
    const timer = setTimeout(resolve, reconnectMs);
    const options = { signal: done.signal };
    addEventListener('online', resolve, options);
    signal.addEventListener('abort', resolve, options);
    done.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  done.abort();
}

async function processed(organizationId: string, mediaId: string): Promise<Media> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, waitMs * 1.5)) {
    const { media } = await client.media.get({ organizationId, mediaId });
    if (media.status === 'READY') {
      return media;
    }
    if (media.status === 'REJECTED') {
      throw new PageError(`The file was rejected. ${media.failureReason ?? ''}`.trim());
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
