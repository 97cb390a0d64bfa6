import { AsyncLocalStorage } from 'node:async_hooks';
import type { ApiKey } from './api-key.ts';

const acting = new AsyncLocalStorage<ApiKey | undefined>();

/** Runs an operation so that its audit entries name the API key of the request, if there is one. */
export function actingWith<T>(apiKey: ApiKey | undefined, operation: () => Promise<T>): Promise<T> {
  return acting.run(apiKey, operation);
}

/** Returns the API key that `actorId` acts with in this request. Null for people and the service. */
export function actingApiKeyId(actorId: string | null): string | null {
  const apiKey = acting.getStore();

  return apiKey && apiKey.createdById === actorId ? apiKey.apiKeyId : null;
}
