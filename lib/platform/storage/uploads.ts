import { presignedUrl } from './links.ts';

export type Upload = {
  readonly method: 'PUT';
  readonly url: string;
  /** The signature covers them: a request with other values is rejected. */
  readonly headers: Readonly<Record<string, string>>;
};

type UploadedFile = {
  readonly key: string;
  /** If absent, any type is accepted. */
  readonly contentType?: string;
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
  const method = 'PUT';
  const headers = {
    ...(contentType && { 'content-type': contentType }),
    'content-length': String(bytes),
  };

  return {
    method,
    url: await presignedUrl({ method, key, validSeconds, validFrom, headers }),
    headers,
  };
}
