import type { SandboxAnswer } from '../../frame/service.ts';
import { errorAnswer, StripeError } from './errors.ts';

const retentionMs = 24 * 60 * 60 * 1_000;
const maximumKeyLength = 255;

type Entry = {
  readonly fingerprint: string;
  readonly startedAt: number;
  /** Absent while the first request is in progress. */
  readonly answer?: SandboxAnswer;
  readonly requestId: string;
};

/** A request with an idempotency key. */
type KeyedCall = {
  readonly key: string;
  readonly fingerprint: string;
  readonly requestId: string;
};

/** The outcome of a request. `began` is false if it was rejected before any work started. */
export type Execution = { readonly answer: SandboxAnswer; readonly began: boolean };

export type IdempotencyKeys = {
  readonly execute: (call: KeyedCall, work: () => Promise<Execution>) => Promise<SandboxAnswer>;
  readonly clear: () => void;
};

/**
 * Stripe's idempotency keys, kept for 24 hours. A repeated request gets the first response, even if
 * it was an error. A repeat with other parameters, or while the first request is in progress, is
 * rejected. A request with invalid parameters does not use up its key.
 */
export function createIdempotencyKeys(now: () => Date): IdempotencyKeys {
  const entries = new Map<string, Entry>();

  return {
    execute: async (call, work) => {
      dropOld(entries, now().getTime() - retentionMs);
      const known = entries.get(call.key);

      if (call.key.length > maximumKeyLength) {
        return errorAnswer(
          new StripeError(400, 'Idempotency keys can have at most 255 characters.', {
            type: 'idempotency_error',
          }),
        );
      }

      if (known !== undefined) {
        return replay(known, call);
      }

      const entry = {
        fingerprint: call.fingerprint,
        startedAt: now().getTime(),
        requestId: call.requestId,
      };
      entries.set(call.key, entry);
      const outcome = await work().catch((error: unknown) => {
        entries.delete(call.key);

        throw error;
      });

      if (entries.get(call.key) === entry) {
        if (outcome.began) {
          entries.set(call.key, { ...entry, answer: outcome.answer });
        } else {
          entries.delete(call.key);
        }
      }

      return outcome.answer;
    },
    clear: () => entries.clear(),
  };
}

function replay(known: Entry, call: KeyedCall): SandboxAnswer {
  if (known.fingerprint !== call.fingerprint) {
    return errorAnswer(
      new StripeError(
        400,
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${call.key}' if you meant to execute a different request.`,
        { type: 'idempotency_error' },
      ),
    );
  }

  if (known.answer === undefined) {
    return errorAnswer(
      new StripeError(
        409,
        `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${call.key}. Please try again later.`,
        { type: 'idempotency_error', code: 'idempotency_key_in_use' },
      ),
    );
  }

  return {
    ...known.answer,
    headers: {
      ...known.answer.headers,
      'idempotent-replayed': 'true',
      'original-request': known.requestId,
    },
  };
}

function dropOld(entries: Map<string, Entry>, before: number): void {
  for (const [key, entry] of entries) {
    if (entry.startedAt > before) {
      return;
    }

    entries.delete(key);
  }
}
