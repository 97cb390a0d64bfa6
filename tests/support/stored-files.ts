import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { storageClient } from '#lib/platform/storage/storage-client.ts';

const storage = new S3Client({ endpoint: String(process.env.S3_ENDPOINT), forcePathStyle: true });

/** Returns the keys of an organization's stored files in these folders. */
export async function storedKeysOf(
  organizationId: string,
  folders: readonly string[],
): Promise<readonly string[]> {
  const found = await Promise.all(
    folders.map((folder) =>
      storage.send(
        new ListObjectsV2Command({
          Bucket: process.env.FILES_BUCKET,
          Prefix: `${folder}/${organizationId}/`,
        }),
      ),
    ),
  );

  return found.flatMap(({ Contents = [] }) => Contents.map(({ Key = '' }) => Key));
}

/**
 * Runs `act` with a storage that fails from the nth call on, like a terminated process. Returns the
 * number of calls.
 */
export async function withFailingStorage(
  nth: number,
  act: () => Promise<unknown>,
): Promise<number> {
  let calls = 0;
  storageClient.middlewareStack.add(
    (next) => async (args) => {
      calls += 1;
      if (calls >= nth) {
        throw new Error('Terminated');
      }

      return next(args);
    },
    { name: 'terminated', step: 'initialize' },
  );
  try {
    await act();
  } finally {
    storageClient.middlewareStack.remove('terminated');
  }

  return calls;
}
