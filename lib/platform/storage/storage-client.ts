import { S3Client } from '@aws-sdk/client-s3';
import { clientSettings } from '#lib/platform/aws/client-settings.ts';
import { secondMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';

/** Used only in this folder. */
export const storageClient = new S3Client({
  ...clientSettings({
    endpoint: config.s3Endpoint,
    connectMs: secondMs,
    requestMs: 10 * secondMs,
    maxAttempts: 3,
  }),
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  useArnRegion: false,
  disableS3ExpressSessionAuth: true,
  ...(config.s3Endpoint ? { forcePathStyle: true } : {}),
});
