import type { TestProject } from 'vitest/node';
import { logMode, readableLine } from '#scripts/dev/stack/log-lines.ts';
import { type Stack, startStack } from '#scripts/dev/stack/stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly stack: Pick<Stack, 'addresses' | 'environment'>;
  }
}

// Quiet unless asked: `LOG=requests npx vitest run --project e2e`.
const mode = process.env.LOG ? logMode(process.env.LOG) : undefined;

/** One whole stack for all end-to-end tests, on ports of its own, beside any that is running. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { addresses, environment, close } = await startStack({
    ports: { api: 0, lambda: 0, dynamodb: 0, aws: 0, sandbox: 0 },
    // Of the lowest cost that bcrypt knows: what a hash is worth is no matter of these tests. Nor
    // is for how long an answer waits for more words of the customer.
    settings: { BCRYPT_COST: '4', REPLY_QUIET_SECONDS: '1' },
    onLine: (line) => {
      const readable = mode && readableLine(line, mode);
      if (readable) {
        process.stdout.write(`${readable}\n`);
      }
    },
  });
  project.provide('stack', { addresses, environment });

  return close;
}
