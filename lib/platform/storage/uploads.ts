import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { config } from '#lib/platform/config.ts';
import { storageClient } from './storage-client.ts';

export type Upload = {
  readonly method: 'PUT';
  readonly url: string;
  /** Signed: a request with other values is rejected. */
  readonly headers: Readonly<Record<string, string>>;
};

type UploadedFile = {
  readonly key: string;
  readonly contentType: string;
  readonly bytes: number;
};

/**
 * Returns a presigned request that uploads exactly this number of bytes, as this type. It is valid
 * for `validSeconds` from `validFrom`.
 */
export async function uploadTo(
  { key, contentType, bytes }: UploadedFile,
  validFrom: string,
  validSeconds: number,
): Promise<Upload> {
  const command = new PutObjectCommand({
    Bucket: config.filesBucket,
    Key: key,
    ContentType: contentType,
    ContentLength: bytes,
  });
  const url = await getSignedUrl(storageClient, command, {
    signingDate: new Date(validFrom),
    expiresIn: validSeconds,
    signableHeaders: new Set(['host', 'content-type', 'content-length']),
  });

  return {
    method: 'PUT',
    url,
    headers: { 'content-type': contentType, 'content-length': String(bytes) },
  };
}
