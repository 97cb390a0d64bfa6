import { getFreshSecrets, getSecrets, type Secrets } from '#lib/platform/secrets/secrets.ts';
import type { Identity } from './identity.ts';
import { hashOperatorKey, isOperatorKey } from './operator-key.ts';

/**
 * Finds an operator's key in the secret. An unknown key reloads the secret, so that a new key needs
 * no redeploy.
 */
export async function loadOperatorIdentity(token: string): Promise<Identity> {
  const known = isOperatorKey(token)
    ? (findKey(await getSecrets(), token) ?? findKey(await getFreshSecrets(), token))
    : undefined;

  return {
    session: undefined,
    membership: undefined,
    ...(known && { operatorKeyId: known.id }),
  };
}

function findKey({ operatorKeys }: Secrets, token: string) {
  const hash = hashOperatorKey(token);

  return operatorKeys.find(({ sha256 }) => sha256 === hash);
}
