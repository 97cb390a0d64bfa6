import { parentPort, workerData } from 'node:worker_threads';

/** Counts the functions compiled from text while the schemas of a module are created and used. */
let made = 0;
globalThis.Function = new Proxy(Function, {
  construct(target, texts) {
    made += 1;

    return Reflect.construct(target, texts);
  },
});

type Schema = { readonly safeParse: (value: unknown) => unknown };

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

const exported: readonly unknown[] = Object.values(await import(String(workerData)));
const schemas = exported
  .flatMap((value) => (value && typeof value === 'object' ? [value, ...Object.values(value)] : []))
  .filter(isSchema);
for (const schema of schemas) {
  schema.safeParse({});
}

parentPort?.postMessage({ made, schemas: schemas.length });
