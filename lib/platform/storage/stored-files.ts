import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { config } from '#lib/platform/config.ts';
import type { FileName } from './file-name.ts';
import { placeOf } from './files.ts';
import { storageClient } from './storage-client.ts';

/** One version of a file. Reads fail if the file was replaced in the meantime. */
export type StoredFile = {
  readonly key: string;
  readonly bytes: number;
  readonly etag: string;
};

/** Bytes that replace those at `offset`. */
export type Patch = { readonly offset: number; readonly content: Uint8Array };

/** A part with patches is held in memory. */
const partBytes = 8 * 1024 * 1024;
/** A copy within the storage must complete before the request times out. */
const maxCopiedParts = 8;
const partsAtOnce = 4;

/**
 * Finds a file by listing it, because the storage answers a HEAD request for a missing file with
 * 403.
 */
export async function findFile(key: string): Promise<StoredFile | undefined> {
  return (await listFiles(key, 1)).find((file) => file.key === key);
}

/** Lists up to 1,000 files whose keys start with `prefix`, in the order of their keys. */
export async function listFiles(prefix: string, limit?: number): Promise<readonly StoredFile[]> {
  const { Contents = [] } = await storageClient.send(
    new ListObjectsV2Command({ Bucket: config.filesBucket, Prefix: prefix, MaxKeys: limit }),
  );

  return Contents.map(({ Key = '', Size = 0, ETag = '' }) => ({
    key: Key,
    bytes: Size,
    etag: ETag,
  }));
}

/** Reads the bytes from `start` up to `end`, or to the end of the file. */
export async function readRange(
  { key, bytes, etag }: StoredFile,
  start: number,
  end: number,
): Promise<Buffer> {
  const last = Math.min(end, bytes) - 1;
  if (last < start) {
    return Buffer.alloc(0);
  }
  const { Body } = await storageClient.send(
    new GetObjectCommand({
      Bucket: config.filesBucket,
      Key: key,
      Range: `bytes=${start}-${last}`,
      IfMatch: etag,
    }),
  );

  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

export async function storeFile(file: FileName, content: Uint8Array): Promise<void> {
  await storageClient.send(
    new PutObjectCommand({ ...placeOf(file), Body: content, ContentLength: content.byteLength }),
  );
}

/** Creates a file from parts. After a failure, the file does not exist. */
export async function copyPatched(
  source: StoredFile,
  target: FileName,
  patches: readonly Patch[],
): Promise<void> {
  if (source.bytes <= partBytes) {
    await storeFile(target, patched(await readRange(source, 0, source.bytes), 0, patches));

    return;
  }
  await assemble(target, partsOf(source, patches), (part, { start, end, isPatched }) =>
    isPatched
      ? uploadPatched(source, part, { start, end }, patches)
      : copyPart(source, part, { start, end }),
  );
}

/** Joins files within the storage. All but the last one must have at least 5 MiB. */
export function joinFiles(sources: readonly StoredFile[], target: FileName): Promise<void> {
  return assemble(target, sources, (part, source) => copyPart(source, part));
}

/** Creates a file that does not exist yet, of parts. After a failure it does not exist. */
async function assemble<Source>(
  target: FileName,
  sources: readonly Source[],
  store: (part: Part, source: Source) => Promise<string | undefined>,
): Promise<void> {
  const { UploadId } = await storageClient.send(new CreateMultipartUploadCommand(placeOf(target)));
  const upload = { Bucket: config.filesBucket, Key: target.key, UploadId };
  try {
    const parts = await atMostAtOnce(
      partsAtOnce,
      [...sources.entries()],
      async ([index, source]) => {
        const part = { ...upload, PartNumber: index + 1 };

        return { ETag: await store(part, source), PartNumber: part.PartNumber };
      },
    );
    await storageClient.send(
      new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: [...parts] } }),
    );
  } catch (failure) {
    // Completing a large file can outlast the request, and the retry then finds no upload.
    if (await findFile(target.key)) {
      return;
    }
    await storageClient.send(new AbortMultipartUploadCommand(upload));
    throw failure;
  }
}

type Range = { readonly start: number; readonly end: number };

/** Splits the file into patched parts and runs of unchanged ones. */
function partsOf(
  { bytes }: StoredFile,
  patches: readonly Patch[],
): ReadonlyArray<Range & { readonly isPatched: boolean }> {
  const parts: Array<Range & { readonly isPatched: boolean }> = [];
  for (let start = 0; start < bytes; start += partBytes) {
    const end = Math.min(start + partBytes, bytes);
    const isPatched = patches.some(
      ({ offset, content }) => offset < end && offset + content.byteLength > start,
    );
    const former = parts.at(-1);
    if (
      former &&
      !isPatched &&
      !former.isPatched &&
      start - former.start < maxCopiedParts * partBytes
    ) {
      parts[parts.length - 1] = { ...former, end };
    } else {
      parts.push({ start, end, isPatched });
    }
  }

  return parts;
}

type Part = {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string | undefined;
  readonly PartNumber: number;
};

async function uploadPatched(
  source: StoredFile,
  part: Part,
  { start, end }: Range,
  patches: readonly Patch[],
): Promise<string | undefined> {
  const Body = patched(await readRange(source, start, end), start, patches);
  const { ETag } = await storageClient.send(new UploadPartCommand({ ...part, Body }));

  return ETag;
}

async function copyPart(
  { key, etag }: StoredFile,
  part: Part,
  range?: Range,
): Promise<string | undefined> {
  const { CopyPartResult } = await storageClient.send(
    new UploadPartCopyCommand({
      ...part,
      CopySource: `${config.filesBucket}/${key}`,
      // The storage rejects a range of a small file, even if the range is the whole file.
      CopySourceRange: range && `bytes=${range.start}-${range.end - 1}`,
      CopySourceIfMatch: etag,
    }),
  );

  return CopyPartResult?.ETag;
}

function patched(content: Buffer, start: number, patches: readonly Patch[]): Buffer {
  for (const { offset, content: replacement } of patches) {
    const from = Math.max(offset, start);
    const until = Math.min(offset + replacement.byteLength, start + content.byteLength);
    if (from < until) {
      content.set(replacement.subarray(from - offset, until - offset), from - start);
    }
  }

  return content;
}
