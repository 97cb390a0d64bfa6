import { config } from '#lib/platform/config.ts';

/** The bucket's address. An emulator has one host for all buckets. */
export function storageAddress(): URL {
  return new URL(
    config.s3Endpoint
      ? `${config.s3Endpoint}/${config.filesBucket}`
      : `https://${config.filesBucket}.s3.${config.region}.amazonaws.com`,
  );
}
