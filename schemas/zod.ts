import { config, type ZodType } from 'zod';

export * from 'zod';

// Disables zod's JIT compilation: it pays off only after hundreds of requests and slows down every
// cold start. A schema keeps the setting it was created with.
config({ jitless: true });

const shown = new WeakMap<object, ZodType>();

/** Shows another schema in the document: the operation itself checks the values by that one. */
export function documentedAs<Schema extends ZodType>(schema: Schema, documented: ZodType): Schema {
  shown.set(schema, documented);

  return schema;
}

export function documentedSchema(schema: object): ZodType | undefined {
  return shown.get(schema);
}
