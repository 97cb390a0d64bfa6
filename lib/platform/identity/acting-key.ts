import { AsyncLocalStorage } from 'node:async_hooks';
import { personRequired } from '#lib/platform/errors/failures.ts';
import type { ApiKey } from './identity.ts';

/** The key that a request uses, if any. */
type ActingKey = {
  readonly apiKey?: ApiKey | undefined;
  readonly operatorKeyId?: string | undefined;
};

const acting = new AsyncLocalStorage<ActingKey>();

/** Runs an operation so that its audit entries name the key of the request, if there is one. */
export function actingWith<T>(
  { apiKey, operatorKeyId }: ActingKey,
  operation: () => Promise<T>,
): Promise<T> {
  return acting.run({ apiKey, operatorKeyId }, operation);
}

/** Returns the API key that `actorId` acts with in this request. Null for people and the service. */
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
 * For a part of an operation that API keys must not do, because its effect outlives them.
 *
 * @throws 403 if the request uses an API key.
 */
export function requirePerson(): void {
  if (isKeyActing()) {
    throw personRequired();
  }
}
