import { AsyncLocalStorage } from 'node:async_hooks';
import { personRequired } from '#lib/platform/errors/failures.ts';
import type { ApiKey } from './identity.ts';

/** The key that a request uses, if any. */
type ActingKey = {
  readonly apiKey?: ApiKey | undefined;
  readonly operatorKeyId?: string | undefined;
};

const acting = new AsyncLocalStorage<ActingKey>();

/** Runs an operation so that its audit entries contain the request's key, if there is one. */
export function actingWith<T>(
  { apiKey, operatorKeyId }: ActingKey,
  operation: () => Promise<T>,
): Promise<T> {
  return acting.run({ apiKey, operatorKeyId }, operation);
}

/** Returns the API key that `actorId` uses in this request. Null for people and the service. */
export function actingApiKeyId(actorId: string | null): string | null {
  const { apiKey } = acting.getStore() ?? {};

  return apiKey && apiKey.createdById === actorId ? apiKey.apiKeyId : null;
}

/** Returns the operator's key that this request uses, if any. */
export function actingOperatorKeyId(): string | null {
  return acting.getStore()?.operatorKeyId ?? null;
}

export function isKeyActing(): boolean {
  return acting.getStore()?.apiKey !== undefined;
}

/**
 * Rejects API keys. Call it for a part of an operation whose effect would outlive a key.
 *
 * @throws 403 if the request uses an API key.
 */
export function requirePerson(): void {
  if (isKeyActing()) {
    throw personRequired();
  }
}
