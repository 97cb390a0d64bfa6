import { secondMs } from '#lib/platform/clock.ts';
import { linkTo } from './download-link.ts';
import type { FileName } from './file-name.ts';

const timeoutMs = 10 * secondMs;

/**
 * Reads a whole file without the S3 client, like `copyFile`. Returns `undefined` for a missing
 * file. For such a file, the storage returns 403 if the function may not list files.
 */
export async function readFile(file: Pick<FileName, 'key'>): Promise<Uint8Array | undefined> {
  const answer = await fetch(await linkTo(file, timeoutMs / secondMs), {
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (answer.ok) {
    return answer.bytes();
  }
  await answer.body?.cancel();
  if (answer.status === 403 || answer.status === 404) {
    return undefined;
  }
  throw new Error(`The storage answered ${answer.status} to a read`);
}
