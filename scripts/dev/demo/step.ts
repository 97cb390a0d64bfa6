import { setTimeout as sleep } from 'node:timers/promises';

/** A short summary of what a step did, and the value that later steps need. */
export type Done<T> = readonly [summary: string, value: T];

/** Runs a step, prints what it did, and returns its value. */
export type Step = <T>(name: string, run: () => Promise<Done<T>>, hint?: string) => Promise<T>;

const nameWidth = 32;
const pollMs = 250;

/**
 * Numbers the steps and prints one line per finished step. If a step fails, the error is also one
 * line: the step, the reason, and where to look (`hint`, or `defaultHint`).
 */
export function stepsOf(print: (line: string) => void, defaultHint: string): Step {
  let number = 0;

  return async (name, run, hint = defaultHint) => {
    number += 1;
    const [summary, value] = await run().catch((cause: unknown) => {
      throw new Error(`Step ${number}, "${name}", failed: ${reasonOf(cause)}. Check ${hint}.`, {
        cause,
      });
    });
    print(`${String(number).padStart(4)}  ${name.padEnd(nameWidth)}  ${summary}`);

    return value;
  };
}

/** Fails the step if the condition is false. */
export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) {
    throw new Error(message);
  }
}

/** Polls until `ask` returns a value. Fails the step with `message` after `seconds`. */
export async function until<T>(
  message: string,
  seconds: number,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const endMs = performance.now() + seconds * 1_000;
  for (;;) {
    const found = await ask();
    if (found !== undefined) {
      return found;
    }
    ensure(performance.now() < endMs, `${message} within ${seconds} s`);
    await sleep(pollMs);
  }
}

function reasonOf(failure: unknown): string {
  const said = failure instanceof Error ? failure.message : String(failure);

  return said.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
}
