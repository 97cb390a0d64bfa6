import { createHmac } from 'node:crypto';
import { getSecrets } from '#lib/platform/secrets/secrets.ts';

/**
 * Returns a stable hash of an id. Without the secret key, nobody can find the id by hashing all
 * possible ids.
 *
 * @param purpose keeps hashes of different uses apart.
 */
export async function keyedHash(purpose: string, ...parts: readonly string[]): Promise<string> {
  const { hashKey } = await getSecrets();

  return createHmac('sha256', hashKey)
    .update(JSON.stringify([purpose, ...parts]))
    .digest('base64url');
}
