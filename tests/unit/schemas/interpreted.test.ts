import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

/** Runs in a new thread, where no module is loaded yet. */
async function programsOf(
  module: string,
): Promise<{ readonly made: number; readonly schemas: number }> {
  const worker = new Worker(new URL('./made-programs.ts', import.meta.url), {
    workerData: new URL(`../../../schemas/${module}`, import.meta.url).href,
  });
  const [message] = await once(worker, 'message');
  await worker.terminate();

  return message;
}

test.each(['leads.ts', 'messages.ts'])(
  'the schemas of %s compile no code at runtime',
  async (module) => {
    const { made, schemas } = await programsOf(module);

    expect(schemas).toBeGreaterThan(0);
    expect(made).toBe(0);
  },
);
