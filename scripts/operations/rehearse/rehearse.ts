import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensure, type Step } from '#scripts/dev/demo/step.ts';
import { playStory } from '#scripts/dev/demo/story.ts';
import type { Settings } from '#scripts/dev/stack/settings.ts';
import { type Stack, startStack } from '#scripts/dev/stack/stack.ts';
import { recount } from '#scripts/operations/recount/recount.ts';
import { copyTable, dropTable } from './copy-table.ts';

export type Rehearsal = {
  /** The database with the table to restore. */
  readonly endpoint: string;
  readonly tableName: string;
  /** The settings of the stack that owns the table, because the same keys must decrypt its data. */
  readonly settings: Settings;
};

const settleMs = 250;
const settleTries = 60;
const freePorts = { api: 0, lambda: 0, dynamodb: 0, aws: 0, sandbox: 0, websocket: 0 };

/**
 * Rehearses a restore: copies the table, starts a second stack on the copy, and checks that its
 * counters are right, its secrets can be decrypted, and the main use case works.
 */
export async function rehearse(
  { endpoint, tableName, settings }: Rehearsal,
  step: Step,
): Promise<void> {
  const copy = `${tableName}-restored`;
  await step('copy the table', async () => {
    const count = await copyTable({ endpoint, from: tableName, to: copy });

    return [`${count} items to ${copy}`, undefined];
  });
  try {
    await step('compare the counters', () => compareCounters(endpoint, copy));
    const stack = await step('start on the copy', async () => {
      const started = await startStack({
        ports: freePorts,
        settings: { ...settings, TABLE_NAME: copy, DYNAMODB_ENDPOINT: endpoint },
      });

      return [started.addresses.api, started];
    });
    try {
      await step('decrypt tokens and secrets', () => decryptAll(stack));
      await step('run the demo', async () => {
        const { api, lambda, sandbox } = stack.addresses;
        const place = { api, lambda, sandbox, stage: stack.environment.STAGE ?? '' };
        await playStory(async (_, run) => (await run())[1], place);

        return ['all steps passed', undefined];
      });
      await step('compare the counters again', () => compareCounters(endpoint, copy));
    } finally {
      await stack.close();
    }
  } finally {
    await dropTable(endpoint, copy);
  }
}

/** Workers may still write for a moment, so differences count only if they remain. */
async function compareCounters(endpoint: string, tableName: string) {
  let differences = await recount({ endpoint, tableName });
  for (let tries = 0; differences.length > 0 && tries < settleTries; tries += 1) {
    await sleep(settleMs);
    differences = await recount({ endpoint, tableName });
  }
  ensure(differences.length === 0, `${differences.length} counters differ: run npm run recount`);

  return ['no differences', undefined] as const;
}

/** In a separate process, because clients read the environment when their module is loaded. */
async function decryptAll({ environment }: Stack) {
  const script = fileURLToPath(new URL('../keys/main.ts', import.meta.url));
  const child = spawn(process.execPath, [script, '--check'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  ensure(code === 0, `The secret has lost a key, or can't be read: ${output}${errors}`);

  return [output.trim(), undefined] as const;
}
