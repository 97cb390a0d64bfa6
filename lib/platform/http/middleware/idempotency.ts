import { createHash } from 'node:crypto';
import { epochSeconds } from '#lib/platform/clock.ts';
import { contextOf, decrypt, encrypt } from '#lib/platform/crypto/encryption.ts';
import {
  absent,
  allOf,
  below,
  type Condition,
  equals,
  isGone,
} from '#lib/platform/db/conditions.ts';
import type { StoredItem } from '#lib/platform/db/failures.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { systemKeys } from '#lib/platform/db/keys/system.ts';
import { change, remove, type Write, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { type ApiError, apiError, badRequest, overloaded } from '#lib/platform/errors/failures.ts';
import { jsonAnswer } from '#lib/platform/http/answer.ts';
import { rawBody } from '#lib/platform/http/raw-body.ts';
import {
  callerIdOf,
  type HttpAnswer,
  type HttpEvent,
  type HttpRequest,
  type Idempotently,
  type Intent,
  type Middleware,
  type RequestClaim,
} from '#lib/platform/http/request.ts';
import { newId } from '#lib/platform/ids.ts';
import { describeFailure } from '#lib/platform/log/logger.ts';
import { logAlarmingError } from '#lib/platform/metrics/embedded-metrics.ts';
import { type Contract, defaultTimeoutSeconds } from '#schemas/contract.ts';
import { errorBody, publicFailure } from './error-envelope.ts';

const retentionSeconds = 24 * 3600;
/**
 * Errors with these statuses are not stored: they do not depend on this request, and a retry may
 * succeed.
 */
const transientStatuses = new Set([401, 429]);

/**
 * Implements `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). The first request
 * claims the key before it does anything. Its response is stored encrypted for 24 hours and
 * replayed. The claim of a failed request is released immediately; the claim of a crashed request
 * is released when that request can no longer be running. The next request continues with the same
 * intent, whose id shows which steps are done.
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
      keep(event, errorAnswer(publicFailure(error), contract, event)),
  };
}

function sha256(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    hash.update(`${part.length}:`).update(part);
  }

  return hash.digest('base64url');
}

/**
 * Hashes the caller (user or API key), operation, path and key. Callers without credentials are
 * identified by their IP address and the email address or token in the body. The operation is
 * included because the gateway may omit the first segment of the path.
 */
function fingerprintOf({ operationId }: Contract, event: HttpEvent, key: string): string {
  const { state, rawPath } = event;
  const { email, token } = state.input.body as { email?: unknown; token?: unknown };
  const caller = callerIdOf(state) ?? `${String(email ?? token ?? '')}\n${state.clientIp}`;

  return sha256(caller, state.membership?.organizationId ?? '', operationId, rawPath, key);
}

async function claim(event: HttpEvent, fingerprint: string, leaseSeconds: number): Promise<void> {
  const bodyHash = sha256(event.state.rawBody ?? rawBody(event));
  const key = systemKeys.idempotency(fingerprint);
  const lease = {
    leaseUntilSeconds: epochSeconds(leaseSeconds),
    expiresAtSeconds: epochSeconds(retentionSeconds),
  };
  const first = { ...lease, bodyHash, intentId: newId(), result: null, answer: null };
  const taken = await take(
    change(key, { set: first, when: isGone(), orCreate: true, onConditionFailed }),
  );
  const held =
    taken instanceof KeyTakenError && isAbandoned(taken.stored)
      ? await take(change(key, { set: lease, when: isFree(bodyHash), onConditionFailed }))
      : taken;
  if (held instanceof KeyTakenError) {
    const first = await firstAnswer(key, held.stored, bodyHash);
    event.state.replay = withRequestId(first, event.state.requestId);
  } else {
    event.state.claim = { fingerprint, result: held?.result };
    beginIntent(event, held, taken instanceof KeyTakenError);
  }
}

/** Claims that are older than intents have none. */
function beginIntent({ state }: HttpEvent, held: StoredItem | undefined, isRepeated: boolean) {
  if (typeof held?.intentId === 'string') {
    state.intent = { id: held.intentId, isRepeated };
    state.idempotently = idempotentlyUnder(held, state.intent);
  }
}

/**
 * Stores the result on the claim in the transaction that produces it, so that both are written or
 * neither. If a request was wrongly considered crashed, either it or its retry succeeds.
 */
function idempotentlyUnder(held: StoredItem, { id }: Intent): Idempotently {
  const context = contextOf(held, 'result');
  const when = allOf(equals('intentId', id), absent('result'), absent('answer'));
  const onConditionFailed = () =>
    overloaded(new Error('Another request already completed this operation'));

  return async (act) => {
    if (typeof held.result === 'string') {
      return JSON.parse(await decrypt(held.result, context)).result;
    }

    return act(async (result) => {
      const sealed = await encrypt(JSON.stringify({ result }), context);

      return [change(held, { set: { result: sealed }, when, onConditionFailed })];
    });
  };
}

class KeyTakenError extends Error {
  readonly stored: StoredItem | undefined;

  constructor(stored: StoredItem | undefined) {
    super('The Idempotency-Key has been used');
    this.stored = stored;
  }
}

const onConditionFailed = (stored: StoredItem | undefined): Error => new KeyTakenError(stored);

/** The previous request has crashed, or ended without a final response. */
function isAbandoned(stored: StoredItem | undefined): boolean {
  return stored?.answer === undefined && Number(stored?.leaseUntilSeconds) < epochSeconds();
}

function isFree(bodyHash: string): Condition {
  return allOf(
    absent('answer'),
    equals('bodyHash', bodyHash),
    below('leaseUntilSeconds', epochSeconds()),
  );
}

async function take(claiming: Write): Promise<StoredItem | KeyTakenError | undefined> {
  try {
    return await write(claiming);
  } catch (failure) {
    if (failure instanceof KeyTakenError) {
      return failure;
    }
    throw failure;
  }
}

async function firstAnswer(
  key: Key,
  stored: StoredItem | undefined,
  bodyHash: string,
): Promise<HttpAnswer> {
  if (stored && stored.bodyHash !== bodyHash) {
    throw apiError(
      'IDEMPOTENCY_KEY_REUSED',
      'Idempotency-Key was already used with another request body',
    );
  }
  if (typeof stored?.answer !== 'string') {
    throw apiError(
      'IDEMPOTENCY_IN_PROGRESS',
      'A request with this Idempotency-Key is still being processed',
    );
  }
  const answer: HttpAnswer = JSON.parse(await decrypt(stored.answer, answerContext(key)));

  return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } };
}

function answerContext(key: Key) {
  return contextOf(key, 'answer');
}

/**
 * Returns the response even if it cannot be stored. A failure here would release the key, and a
 * retry would repeat the work.
 */
async function keepDone(event: HttpEvent, answer: HttpAnswer | undefined): Promise<void> {
  try {
    await keep(event, answer);
  } catch (failure) {
    logAlarmingError('LostWork', 'The answer to a request was not kept', {
      failure: describeFailure(failure),
    });
  }
}

async function keep({ state }: HttpEvent, answer: HttpAnswer | undefined): Promise<void> {
  if (!state.claim || !answer) {
    return;
  }
  const key = systemKeys.idempotency(state.claim.fingerprint);
  const isOurs = isAsTaken(state.claim);
  if (transientStatuses.has(answer.statusCode) && !state.intent?.isRepeated) {
    await writeIfMet(remove(key, { when: isOurs }));

    return;
  }
  const free = change(key, { set: { leaseUntilSeconds: 0 } });
  if (transientStatuses.has(answer.statusCode) || answer.statusCode >= 500) {
    await write(free);

    return;
  }
  const complete = {
    statusCode: answer.statusCode,
    headers: { ...state.replyHeaders, ...answer.headers },
    body: answer.body,
    cookies: [...(answer.cookies ?? []), ...state.replyCookies],
  };
  const kept = await encrypt(JSON.stringify(complete), answerContext(key));
  const set = { answer: kept, result: null };
  if (answer.statusCode < 400) {
    await write(change(key, { set }));
  } else if (!(await writeIfMet(change(key, { set, when: isOurs })))) {
    await write(free);
  }
}

/**
 * True unless another request has completed the work since. An earlier request that was considered
 * crashed may have done so, and may be the reason why this one was rejected.
 */
function isAsTaken({ result }: RequestClaim): Condition {
  return allOf(
    absent('answer'),
    typeof result === 'string' ? equals('result', result) : absent('result'),
  );
}

/** An error in the form that is stored under its `Idempotency-Key`. */
function errorAnswer(failure: ApiError, contract: Contract, event: HttpEvent): HttpAnswer {
  return jsonAnswer(failure.statusCode, errorBody(failure, contract, event), failure.headers);
}

/** A stored error with the id of the current request. Pages are returned unchanged. */
function withRequestId(answer: HttpAnswer, requestId: string): HttpAnswer {
  const isJson = String(answer.headers?.['content-type']).startsWith('application/json');
  if (answer.statusCode < 400 || !isJson) {
    return answer;
  }

  return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body ?? '{}'), requestId }) };
}
