import * as z from 'zod';
import { describeIssues, jsonAnswer, parseJson, refusal } from '../frame/http.ts';
import type { ControlRoute, ServiceContext } from '../frame/service.ts';
import { fromSecrets } from './secret-document.ts';

export type KeyState = 'valid' | 'expired' | 'unknown';

/** The API keys of the service's account at a vendor. */
export type ApiKeys = {
  readonly stateOf: (key: string) => KeyState;
  /** Replaces the valid keys. The others expire. */
  readonly control: ControlRoute;
  readonly reset: () => void;
};

const keysRequest = z.strictObject({ keys: z.array(z.string().min(1)).min(1) });

/**
 * Accepts the key in the service's secret. `PUT /_sandbox/<vendor>/keys` replaces it, so that a
 * rotation can be rehearsed: both keys first, then only the new one.
 */
export function createApiKeys(
  vendor: string,
  { secrets }: ServiceContext,
  { field, fallback }: { readonly field: string; readonly fallback: string },
): ApiKeys {
  const initial = fromSecrets(secrets, z.object({ [field]: z.string() }))?.[field] ?? fallback;
  const expired = new Set<string>();
  let valid: readonly string[] = [initial];

  return {
    stateOf: (key) => {
      if (valid.includes(key)) {
        return 'valid';
      }

      return expired.has(key) ? 'expired' : 'unknown';
    },
    control: {
      method: 'PUT',
      path: new RegExp(`^/${vendor}/keys$`),
      answer: ({ body }) => {
        const { data, error } = keysRequest.safeParse(parseJson(body));
        if (error) {
          return refusal(400, describeIssues(error));
        }
        for (const key of valid) {
          expired.add(key);
        }
        valid = data.keys;

        return jsonAnswer(200, { keys: valid });
      },
    },
    reset: () => {
      expired.clear();
      valid = [initial];
    },
  };
}

/** Shows the beginning and the end of a key, as the vendors' messages do. */
export function maskKey(key: string): string {
  return key.length > 12 ? `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}` : key;
}
