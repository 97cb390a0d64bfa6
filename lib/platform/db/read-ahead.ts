import { AsyncLocalStorage } from 'node:async_hooks';
import type { Key, KeyRange } from './keys/key.ts';

type Ahead = { readonly touches: (key: Key) => boolean; readonly answer: Promise<unknown> };

type Scope = {
  readonly ahead: Map<string, Ahead>;
  readonly written: Key[];
  /** Whether what is read now is kept for who asks later. */
  readonly isFilling: boolean;
};

const scopes = new AsyncLocalStorage<Scope>();

/** Runs a request that may have reads made ahead of their time. */
export function withReadAhead<T>(request: () => Promise<T>): Promise<T> {
  return scopes.run({ ahead: new Map(), written: [], isFilling: false }, request);
}

/**
 * Makes reads before it is known whether they are allowed: each answer waits, unseen, for the
 * request's own first read of the same item or range, which takes it. It is known by its key, and
 * so by its tenant. A failure is met by who takes it, and by nobody else.
 */
export async function readAhead(reads: () => unknown): Promise<void> {
  const scope = scopes.getStore();
  if (!scope) {
    return;
  }
  try {
    await scopes.run({ ...scope, isFilling: true }, async () => reads());
  } catch {
    // What is missing or fails is found again by the read that is allowed.
  }
}

/** Answers a read with what was read ahead, once; else reads. */
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

/** What is written is read anew: called before each write. */
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
