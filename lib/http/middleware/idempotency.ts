import { createHash } from 'node:crypto';
import { epochSeconds } from '#lib/clock.ts';
import { decrypt, encrypt } from '#lib/crypto/encryption.ts';
import { absent, allOf, below, either, equals } from '#lib/db/conditions.ts';
import { type Key, keys } from '#lib/db/keys.ts';
import { isGone } from '#lib/db/time-to-live.ts';
import { change, discard, type StoredItem, write } from '#lib/db/write.ts';
import { ApiError } from '#lib/errors/api-error.ts';
import { badRequest, conflict } from '#lib/errors/failures.ts';
import { errorAnswer } from '#lib/http/answer.ts';
import type { HttpAnswer, HttpEvent, HttpRequest, Middleware } from '#lib/http/request.ts';
import { describeFailure, logger } from '#lib/log/logger.ts';
import { type Contract, defaultTimeoutSeconds } from '#schemas/contract.ts';
import { publicFailure } from './error-envelope.ts';
import { rawBody } from './validate.ts';

const keptSeconds = 24 * 3600;
/** Not kept: they say nothing of this request, and the next try may fare better. */
const passing = new Set([401, 429]);

/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): the first request with a key
 * claims it before anything is done, its answer is kept for 24 hours, encrypted, and given again.
 * A claim whose request died is free again when that request can no longer be running.
 */
export function idempotency(contract: Contract): Middleware {
  if (contract.method !== 'POST' || contract.idempotent === false) {
    return { before: () => undefined };
  }
  const leaseSeconds = (contract.timeoutSeconds ?? defaultTimeoutSeconds) + 1;

  return {
    before: async ({ event }: HttpRequest): Promise<void> => {
      const key = event.headers['idempotency-key'];
      if (key === undefined) {
        return;
      }
      if (key.length < 1 || key.length > 255) {
        throw badRequest('Idempotency-Key must be between 1 and 255 characters');
      }
      await claim(event, fingerprintOf(contract, event, key), leaseSeconds);
    },
    after: ({ event, response }: HttpRequest): Promise<void> => keepDone(event, response),
    onError: ({ event, error }: HttpRequest): Promise<void> =>
      keep(event, errorAnswer(publicFailure(error))),
  };
}

function sha256(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    hash.update(`${part.length}:`).update(part);
  }

  return hash.digest('base64url');
}

/** Who sent what where. For public calls the caller is the address in the body, and the IP. */
function fingerprintOf({ method }: Contract, event: HttpEvent, key: string): string {
  const { state, rawPath } = event;
  const { email } = state.input.body as { email?: unknown };
  const caller = state.claims?.userId ?? `${String(email ?? '')}\n${state.clientIp}`;

  return sha256(caller, state.membership?.organizationId ?? '', method, rawPath, key);
}

async function claim(event: HttpEvent, fingerprint: string, leaseSeconds: number): Promise<void> {
  const bodyHash = sha256(rawBody(event));
  const key = keys.idempotency(fingerprint);
  let stored: StoredItem | undefined;
  const refused = (found: StoredItem | undefined): Error => {
    stored = found;

    return new KeyTaken();
  };
  try {
    await write(
      change(key, {
        set: {
          bodyHash,
          leaseUntilSeconds: epochSeconds(leaseSeconds),
          expiresAtSeconds: epochSeconds(keptSeconds),
          answer: null,
        },
        when: either(
          isGone(),
          allOf(
            absent('answer'),
            equals('bodyHash', bodyHash),
            below('leaseUntilSeconds', epochSeconds()),
          ),
        ),
        orCreate: true,
        refused,
      }),
    );
    event.state.claimedFingerprint = fingerprint;
  } catch (failure) {
    if (!(failure instanceof KeyTaken)) {
      throw failure;
    }
    event.state.replay = await firstAnswer(key, stored, bodyHash);
  }
}

class KeyTaken extends Error {}

async function firstAnswer(
  key: Key,
  stored: StoredItem | undefined,
  bodyHash: string,
): Promise<HttpAnswer> {
  if (stored && stored.bodyHash !== bodyHash) {
    throw new ApiError(
      'unprocessable',
      'Idempotency-Key was already used with another request body',
    );
  }
  if (typeof stored?.answer !== 'string') {
    throw conflict('A request with this Idempotency-Key is still being processed');
  }
  const answer: HttpAnswer = JSON.parse(await decrypt(stored.answer, answerContext(key)));

  return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } };
}

function answerContext({ pk, sk }: Key) {
  return [pk, sk, 'answer'] as const;
}

/**
 * What was done is told, also where its answer cannot be kept: a failure would set the key free, and
 * have it done again.
 */
async function keepDone(event: HttpEvent, answer: HttpAnswer | undefined): Promise<void> {
  try {
    await keep(event, answer);
  } catch (failure) {
    logger.error('The answer to a request was not kept', { failure: describeFailure(failure) });
  }
}

async function keep({ state }: HttpEvent, answer: HttpAnswer | undefined): Promise<void> {
  const fingerprint = state.claimedFingerprint;
  if (!fingerprint || !answer) {
    return;
  }
  const key = keys.idempotency(fingerprint);
  if (answer.statusCode >= 500 || passing.has(answer.statusCode)) {
    await write(discard(key));

    return;
  }
  const complete = {
    statusCode: answer.statusCode,
    headers: { ...state.replyHeaders, ...answer.headers },
    body: answer.body,
    cookies: [...(answer.cookies ?? []), ...state.replyCookies],
  };
  const kept = await encrypt(JSON.stringify(complete), answerContext(key));
  await write(change(key, { set: { answer: kept } }));
}
