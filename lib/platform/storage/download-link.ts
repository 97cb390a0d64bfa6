import type { FileName } from './file-name.ts';
import { presignedUrl } from './links.ts';

/** Returns a presigned download URL that is valid for `validSeconds`. */
export function linkTo({ key }: Pick<FileName, 'key'>, validSeconds: number): Promise<string> {
  return presignedUrl({ method: 'GET', key, validSeconds });
}
