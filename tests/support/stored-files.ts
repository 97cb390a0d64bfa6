import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';

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
