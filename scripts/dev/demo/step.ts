import { setTimeout as sleep } from 'node:timers/promises';

/** What a step has done, in a few words, and what later steps need of it. */
export type Done<T> = readonly [told: string, value: T];

/** Runs a step, tells what it did, and hands on its value. */
export type Step = <T>(name: string, run: () => Promise<Done<T>>, look?: string) => Promise<T>;

const nameWidth = 32;
const pollMs = 250;

/**
 * Numbers the steps and prints each as one line when it is done. Where one fails, the error is one
 * line too: the step, the reason, and where to look (`look`, or `elsewhere`).
 */
export function stepsOf(print: (line: string) => void, elsewhere: string): Step {
  let number = 0;

  return async (name, run, look = elsewhere) => {
    number += 1;
    const [told, value] = await run().catch((cause: unknown) => {
      throw new Error(`Step ${number}, "${name}", failed: ${reasonOf(cause)}. Look at ${look}.`, {
        cause,
      });
    });
    print(`${String(number).padStart(4)}  ${name.padEnd(nameWidth)}  ${told}`);

    return value;
  };
}

/** Fails the step unless what it claims is so. */
export function ensure(isSo: boolean, otherwise: string): asserts isSo {
  if (!isSo) {
    throw new Error(otherwise);
  }
}

/** Asks until there is an answer. After `seconds` the step has failed, for the reason `otherwise`. */
export async function until<T>(
  otherwise: string,
  seconds: number,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const endMs = performance.now() + seconds * 1_000;
  for (;;) {
    const found = await ask();
    if (found !== undefined) {
      return found;
    }
    ensure(performance.now() < endMs, `${otherwise} within ${seconds} s`);
    await sleep(pollMs);
  }
}

function reasonOf(failure: unknown): string {
  const said = failure instanceof Error ? failure.message : String(failure);

  return said.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
}
