import { config, string, type ZodType } from 'zod';

export * from 'zod';

// Disables zod's JIT compilation, which only pays off after hundreds of requests and slows down
// every cold start. A schema keeps the setting with which it was created.
config({ jitless: true });

const shown = new WeakMap<object, ZodType>();

/**
 * Shows a different schema in the document. The operation itself validates the values with that
 * schema.
 */
export function documentedAs<Schema extends ZodType>(schema: Schema, documented: ZodType): Schema {
  shown.set(schema, documented);

  return schema;
}

export function documentedSchema(schema: object): ZodType | undefined {
  return shown.get(schema);
}

/** A text that contains JSON. */
export const storedAsJson = <Schema extends ZodType>(schema: Schema) =>
  string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);
