import type { TestProject } from 'vitest/node';
import { logMode, readableLine } from '#scripts/dev/stack/log-lines.ts';
import { type Stack, startStack } from '#scripts/dev/stack/stack.ts';
import { closeTogether } from '#scripts/dev/stack/start-together.ts';
import { embedOrigin } from './embed-origin.ts';
import { startJudge } from './judge.ts';
import { patientLimits } from './patience.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly stack: Pick<Stack, 'addresses' | 'environment'>;
  }
}

// Prints little by default. To see requests: `LOG=requests npx vitest run --project e2e`.
const mode = process.env.LOG ? logMode(process.env.LOG) : undefined;

/**
 * Starts one complete stack for all end-to-end tests. Its ports differ from those of a running
 * stack.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const judge = await startJudge();
  const stack = await startStack({
    ports: { api: 0, lambda: 0, dynamodb: 0, aws: 0, sandbox: 0, websocket: 0 },
    // bcrypt's lowest cost, because these tests do not depend on hash strength. They do not depend
    // on the wait for more customer messages either.
    settings: {
      ...patientLimits,
      BCRYPT_COST: '4',
      REPLY_QUIET_SECONDS: '1',
      EMBED_ORIGINS: embedOrigin,
      ...(mode ? {} : { LOG_LEVEL: 'CRITICAL' }),
      ...judge.settings,
    },
    onLine: (line) => {
      const readable = mode && readableLine(line, mode);
      if (readable) {
        process.stdout.write(`${readable}\n`);
      }
    },
  });
  const { addresses, environment } = stack;
  project.provide('stack', { addresses, environment });

  return () => closeTogether([stack, judge]);
}
