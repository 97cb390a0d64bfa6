import { secondMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import type { FileName } from './file-name.ts';
import { presignedUrl } from './links.ts';

const timeoutMs = 10 * secondMs;

/**
 * Copies a file of up to 5 GB within the storage, without the S3 client, like `presignedUrl`.
 *
 * @throws if the file does not exist.
 */
export async function copyFile(
  source: Pick<FileName, 'key'>,
  target: Pick<FileName, 'key'>,
): Promise<void> {
  const headers = { 'x-amz-copy-source': `/${config.filesBucket}/${encodeURI(source.key)}` };
  const url = await presignedUrl({
    method: 'PUT',
    key: target.key,
    validSeconds: timeoutMs / secondMs,
    headers,
  });
  const answer = await fetch(url, {
    method: 'PUT',
    headers,
    signal: AbortSignal.timeout(timeoutMs),
  });
  // The storage can report a failed copy in the body of a 200.
  const isCopied = answer.ok && (await answer.text()).includes('<CopyObjectResult');
  if (!isCopied) {
    throw new Error(`The storage answered ${answer.status} to a copy`);
  }
}
