import { AsyncLocalStorage } from 'node:async_hooks';
import type { Key, KeyRange } from './keys/key.ts';

type Ahead = { readonly touches: (key: Key) => boolean; readonly answer: Promise<unknown> };

type Scope = {
  readonly ahead: Map<string, Ahead>;
  readonly written: Key[];
  /** True while reads are stored for later use. */
  readonly isFilling: boolean;
};

const scopes = new AsyncLocalStorage<Scope>();

export function withReadAhead<T>(request: () => Promise<T>): Promise<T> {
  return scopes.run({ ahead: new Map(), written: [], isFilling: false }, request);
}

/**
 * Starts reads before the request is authorized. Each result is stored, and returned to the
 * request's first own read of the same item or range. Results are matched by key, and therefore by
 * tenant. Failures surface only in the read that uses them.
 */
export async function readAhead(reads: () => unknown): Promise<void> {
  const scope = scopes.getStore();
  if (!scope) {
    return;
  }
  try {
    await scopes.run({ ...scope, isFilling: true }, async () => reads());
  } catch {
    // The authorized read reports missing items and failures again.
  }
}

/** Returns a result that was read ahead, once; otherwise reads. */
export function takeAhead<T>(
  name: string,
  touches: (key: Key) => boolean,
  read: () => Promise<T>,
): Promise<T> {
  const scope = scopes.getStore();
  if (!scope) {
    return read();
  }
  if (scope.isFilling) {
    return fill(scope, name, touches, read());
  }
  const known = scope.ahead.get(name);
  scope.ahead.delete(name);

  return (known?.answer as Promise<T> | undefined) ?? read();
}

function fill<T>(
  { ahead, written }: Scope,
  name: string,
  touches: (key: Key) => boolean,
  answer: Promise<T>,
): Promise<T> {
  answer.catch(() => undefined);
  if (!written.some(touches)) {
    ahead.set(name, { touches, answer });
  }

  return answer;
}

/** Called before each write: discards stored reads of the written items. */
export function forgetAhead(written: readonly Key[]): void {
  const scope = scopes.getStore();
  scope?.written.push(...written);
  for (const [name, { touches }] of scope?.ahead ?? []) {
    if (written.some(touches)) {
      scope?.ahead.delete(name);
    }
  }
}

export function isWithin({ pk, from, to }: KeyRange): (key: Key) => boolean {
  return (key) => key.pk === pk && key.sk >= from && key.sk <= to;
}
