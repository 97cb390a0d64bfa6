import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { config } from '#lib/platform/config.ts';
import type { FileName } from './file-name.ts';
import { storageClient } from './storage-client.ts';

/** S3's minimum part size. A file can have up to 10,000 parts. */
const partBytes = 5 * 1024 * 1024;
/** Maximum UTF-8 length of a character. Characters are not split between parts. */
const maxCharacterBytes = 4;

const encoder = new TextEncoder();

/**
 * Streams a file of any size to S3 with only two parts in memory. The file is complete when this
 * returns; after a failure it does not exist.
 */
export async function saveFile(
  file: FileName,
  content: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const parts = inParts(content);
  const [first, second] = [await nextOf(parts), await nextOf(parts)];
  if (!second) {
    await storageClient.send(new PutObjectCommand({ ...placeOf(file), Body: first ?? '' }));

    return;
  }
  const { UploadId } = await storageClient.send(new CreateMultipartUploadCommand(placeOf(file)));
  try {
    const etags = await uploadParts({ ...placeOf(file), UploadId }, [first, second], parts);
    await storageClient.send(
      new CompleteMultipartUploadCommand({
        Bucket: config.filesBucket,
        Key: file.key,
        UploadId,
        MultipartUpload: { Parts: etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 })) },
      }),
    );
  } catch (failure) {
    await storageClient.send(
      new AbortMultipartUploadCommand({ Bucket: config.filesBucket, Key: file.key, UploadId }),
    );
    throw failure;
  }
}

async function nextOf(parts: AsyncGenerator<Buffer, void, undefined>): Promise<Buffer | undefined> {
  const { done, value } = await parts.next();

  return done ? undefined : value;
}

export function placeOf({ key, contentType, downloadName }: FileName) {
  return {
    Bucket: config.filesBucket,
    Key: key,
    ContentType: contentType,
    ContentDisposition: `attachment; filename="${downloadName}"`,
  };
}

type Upload = {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string | undefined;
};

/** Uploads one part while the next one is produced. Only one upload runs at a time. */
async function uploadParts(
  { Bucket, Key, UploadId }: Upload,
  begun: readonly (Buffer | undefined)[],
  rest: AsyncGenerator<Buffer, void, undefined>,
): Promise<readonly (string | undefined)[]> {
  const etags: (string | undefined)[] = [];
  let currentUpload: Promise<void> = Promise.resolve();
  const upload = async (Body: Buffer) => {
    await currentUpload;
    const PartNumber = etags.push(undefined);
    currentUpload = storageClient
      .send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }))
      .then(({ ETag }) => {
        etags[PartNumber - 1] = ETag;
      });
    // Awaited before the next upload and at the end.
    currentUpload.catch(() => undefined);
  };
  for (const part of begun) {
    await upload(part ?? Buffer.alloc(0));
  }
  for await (const part of rest) {
    await upload(part);
  }
  await currentUpload;

  return etags;
}

/**
 * Collects the content, with texts as UTF-8, in two alternating buffers. One is filled while the
 * other is uploaded, so a yielded part is overwritten two parts later.
 */
async function* inParts(
  content: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  let [part, other] = [newPart(), newPart()];
  let filled = 0;
  for await (const chunk of content) {
    for (let rest = chunk; rest.length > 0; ) {
      const { read, written } = copyInto(part.subarray(filled), rest);
      rest = typeof rest === 'string' ? rest.slice(read) : rest.subarray(read);
      filled += written;
      if (rest.length > 0) {
        yield part.subarray(0, filled);
        [part, other] = [other, part];
        filled = 0;
      }
    }
  }
  if (filled > 0) {
    yield part.subarray(0, filled);
  }
}

function copyInto(target: Buffer, source: string | Uint8Array) {
  if (typeof source === 'string') {
    return encoder.encodeInto(source, target);
  }
  const length = Math.min(source.length, target.length);
  target.set(source.subarray(0, length));

  return { read: length, written: length };
}

function newPart(): Buffer {
  return Buffer.allocUnsafe(partBytes + maxCharacterBytes);
}

/** Removes all files whose key starts with `prefix`, except for those that are kept. */
export async function removeFiles(
  prefix: string,
  isKept: (key: string) => boolean = () => false,
): Promise<void> {
  for (;;) {
    const listed = await storageClient.send(
      new ListObjectsV2Command({ Bucket: config.filesBucket, Prefix: prefix }),
    );
    const Objects = (listed.Contents ?? [])
      .filter(({ Key = '' }) => !isKept(Key))
      .map(({ Key }) => ({ Key }));
    if (Objects.length === 0) {
      return;
    }
    await storageClient.send(
      new DeleteObjectsCommand({ Bucket: config.filesBucket, Delete: { Objects, Quiet: true } }),
    );
    if (!listed.IsTruncated) {
      return;
    }
  }
}
