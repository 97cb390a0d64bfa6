import type * as z from 'zod';
import { parseJson } from '../frame/http.ts';
import type { ServiceContext } from '../frame/service.ts';

/** Returns the first of the initial secrets that matches the schema. */
export function fromSecrets<T>(
  secrets: ServiceContext['secrets'],
  schema: z.ZodType<T>,
): T | undefined {
  for (const document of Object.values(secrets)) {
    const { data } = schema.safeParse(parseJson(document));
    if (data !== undefined) {
      return data;
    }
  }

  return undefined;
}
