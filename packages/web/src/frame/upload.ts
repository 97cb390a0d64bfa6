import { client, type Media, PageError, SocialLeadsError } from '../service.ts';

const firstWaitMs = 300;
const longestWaitMs = 3_000;
const reconnectMs = 2_000;

export type UploadState =
  | { readonly kind: 'sending' | 'paused' | 'offline'; readonly sentBytes: number }
  | { readonly kind: 'processing' }
  | { readonly kind: 'done'; readonly media: Media }
  | { readonly kind: 'failed'; readonly error: unknown };

export type Upload = {
  readonly pause: () => void;
  /** Continues after a pause or a failure, with the missing parts. */
  readonly resume: () => void;
};

type Part = { readonly offset: number; readonly bytes: number; readonly url: string };

/** The connection was lost. This is not a failure: the upload continues by itself. */
class Disconnected extends Error {}

/**
 * Uploads an image or video to the media library, directly to the storage and in parts. After a
 * pause, a failure or a lost connection, it sends only the missing parts.
 */
export function startUpload(
  organizationId: string,
  file: File,
  onChange: (state: UploadState) => void,
): Upload {
  const idempotencyKey = crypto.randomUUID();
  let mediaId: string | undefined;
  let sentBytes = 0;
  let stopping = new AbortController();

  const show = (state: UploadState) => stopping.signal.aborted || onChange(state);
  const send = async (signal: AbortSignal) => {
    mediaId ??= await createMedia(organizationId, file, idempotencyKey);
    const { parts } = await client.media.getUpload({ organizationId, mediaId }, { signal });
    sentBytes = file.size - parts.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const part of parts) {
      const before = sentBytes;
      await put(file, part, signal, (loaded) =>
        show({ kind: 'sending', sentBytes: before + loaded }),
      );
      sentBytes = before + part.bytes;
    }
    show({ kind: 'processing' });
    await client.media.completeUpload({ organizationId, mediaId }, { signal });
    show({ kind: 'done', media: await processed(organizationId, mediaId) });
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
    pause: () => {
      stopping.abort();
      onChange({ kind: 'paused', sentBytes });
    },
    resume: () => {
      stopping.abort();
      stopping = new AbortController();
      void run();
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
  const { media } = await client.media.createUpload(
    {
      organizationId,
      fileName: file.name,
      contentType: file.type || 'application/octet-stream',
      bytes: file.size,
    },
    { idempotencyKey },
  );

  return media.id;
}

/** Sends a part. `fetch` does not report progress. */
async function put(
  file: File,
  { offset, bytes, url }: Part,
  signal: AbortSignal,
  onProgress: (loaded: number) => void,
): Promise<void> {
  const part = file.slice(offset, offset + bytes);
  await part
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new PageError('The file can’t be read any more. Choose it again.');
    });
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
