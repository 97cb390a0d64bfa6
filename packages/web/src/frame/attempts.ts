import { useRef } from 'preact/hooks';
import { isInProgress, isRejection } from '../service.ts';
import { useMembership } from './session.tsx';

/**
 * An attempt at something that costs money. All tabs of a browser share it, also after a reload.
 * Its id is the idempotency key until the outcome is known. So a second click, a retry after a lost
 * response and a click in another tab buy only once.
 */
type Attempt = { readonly id: string; readonly sentMs: number; readonly doneMs?: number };

/** Attempts by the thing that is bought. */
type Attempts = Readonly<Record<string, Attempt>>;

const secondMs = 1_000;
/** The second click of a double click can follow the response. */
const doubleClickMs = secondMs;
/** After this time, people have seen in this tab that they bought it in another tab. */
const otherTabMs = 10 * secondMs;
/** By then, the service has resolved the outcome of a lost response. */
const longestMs = 60 * 60 * secondMs;
/** Waits of one second, together as long as the slowest request. */
const mostWaits = 35;

/** Returns a function that sends a request with the key of the click's attempt. */
export function useAttempt(purpose: string) {
  const { id: organizationId } = useMembership();
  const name = `attempt:${organizationId}:${purpose}`;
  const own = useRef(new Set<string>()).current;

  return async <Result>(
    input: object,
    send: (idempotencyKey: string) => PromiseLike<Result>,
  ): Promise<Result> => {
    const bought = JSON.stringify(input);

    // One tab at a time: otherwise, two tabs could begin an attempt before they see each other's.
    return navigator.locks.request(name, async () => {
      const attempt = join(name, bought, own);
      try {
        const result = await whileInProgress(() => send(attempt.id));
        own.add(attempt.id);
        write(name, bought, { ...attempt, doneMs: Date.now() });

        return result;
      } catch (error) {
        if (isRejection(error)) {
          write(name, bought, undefined);
        }
        throw error;
      }
    });
  };
}

function join(name: string, bought: string, own: ReadonlySet<string>): Attempt {
  const { [bought]: found } = read(name);
  if (found && !isOver(found, own)) {
    return found;
  }
  const attempt = { id: crypto.randomUUID(), sentMs: Date.now() };
  write(name, bought, attempt);

  return attempt;
}

function isOver({ id, doneMs }: Attempt, own: ReadonlySet<string>): boolean {
  const settlingMs = own.has(id) ? doubleClickMs : otherTabMs;

  return doneMs !== undefined && Date.now() - doneMs >= settlingMs;
}

/** Sends again while the service reports that the first request is still in progress. */
async function whileInProgress<Result>(send: () => PromiseLike<Result>): Promise<Result> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await send();
    } catch (error) {
      if (!isInProgress(error) || waits >= mostWaits) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, secondMs));
    }
  }
}

function read(name: string): Attempts {
  const all: Attempts = JSON.parse(localStorage.getItem(name) ?? '{}');

  return Object.fromEntries(
    Object.entries(all).filter(([, { sentMs }]) => Date.now() - sentMs < longestMs),
  );
}

function write(name: string, bought: string, attempt: Attempt | undefined): void {
  localStorage.setItem(name, JSON.stringify({ ...read(name), [bought]: attempt }));
}
