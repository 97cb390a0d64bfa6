import { CircuitOpenError, throughCircuit } from '#lib/platform/circuit-breaker.ts';
import { now, secondMs } from '#lib/platform/clock.ts';
import { definedFields } from '#lib/platform/compact.ts';
import { config } from '#lib/platform/config.ts';
import { readBounded } from '#lib/platform/outbound/read-bounded.ts';
import type { Platform } from '#schemas/platforms.ts';
import type * as z from '#schemas/zod.ts';
import { noteCall } from './call-counts.ts';
import { NetworkError, type NetworkFailureKind } from './network-error.ts';
import { tryParseWithLongIds } from './parse-with-long-ids.ts';

/** A call to a network. GET requests are retried once. All others are sent once. */
export type NetworkCall = {
  readonly platform: Platform;
  /** Default: GET. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Absolute, without the query string. */
  readonly url: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** At most one of `json`, `form` and `bytes`. */
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string | number | undefined>>;
  readonly bytes?: { readonly content: BodyInit; readonly contentType: string };
  /** Defaults to `NETWORK_TIMEOUT_MS`. Uploads need longer. */
  readonly timeoutMs?: number;
  /**
   * Statuses other than 2xx that are not failures, such as the 308 of an upload. Redirects are
   * never followed.
   */
  readonly alsoAccepts?: readonly number[];
  /**
   * The call has no visible effect. So if the response is missing, the failure is `unavailable`.
   */
  readonly isHarmless?: boolean;
  /** Interprets a failed response. `undefined` falls back to the status. */
  readonly explain?: (answer: NetworkAnswer) => Explanation | undefined;
  /** Detects failures that a network reports in the body of a 200. */
  readonly isFailure?: (answer: NetworkAnswer) => boolean;
};

export type NetworkAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body, or `undefined` if it is not JSON. Integers beyond 2^53 are strings. */
  readonly json: unknown;
};

export type Explanation = {
  readonly kind: NetworkFailureKind;
  readonly message?: string | undefined;
  readonly code?: string | undefined;
  readonly retryAfterMs?: number | undefined;
};

/** `fetch` requires this for a streamed body, but the DOM types do not include it. */
const streaming = { duplex: 'half' };
/** A multiple of the timeout of one attempt. */
const maxTotalAttempts = 1.3;
/** Larger than any response that this service needs. */
const maxAnswerBytes = 5_000_000;

/**
 * Sends a call and returns the response. Skips the call while the network's circuit is open.
 *
 * @throws NetworkError for every failure. Never throws another error.
 */
export async function callNetwork(call: NetworkCall): Promise<NetworkAnswer> {
  const answer = await exchange(call);
  const failure = failureIn(call, answer);
  if (failure) {
    throw failure;
  }

  return answer;
}

function failureIn(call: NetworkCall, answer: NetworkAnswer): NetworkError | undefined {
  const isGood =
    (answer.status >= 200 && answer.status < 300) ||
    (call.alsoAccepts ?? []).includes(answer.status);

  return isGood && !call.isFailure?.(answer) ? undefined : failureOf(call, answer);
}

async function exchange(call: NetworkCall): Promise<NetworkAnswer> {
  const { platform, method = 'GET' } = call;
  const { host, pathname } = new URL(call.url);
  try {
    return await throughCircuit(`${platform} ${host}`, () => fetchWithRetry(call), {
      inAnswer: ({ status }) => status >= 500,
      // The bytes come from an organization's server, which may have caused the failure.
      inFailure: (cause) => (call.bytes && !wasNotSent(cause) ? undefined : true),
    });
  } catch (cause) {
    const hadNoEffect = isRepeatable(call) || wasNotSent(cause);
    throw new NetworkError(platform, hadNoEffect ? 'unavailable' : 'outcomeUnknown', {
      message: `${platform} did not respond to ${method} ${pathname}`,
      cause,
    });
  }
}

/**
 * Retries a GET request once, after no response or an outage. The second attempt gets only the
 * remaining time, because the caller must receive a response within ten seconds, even after a token
 * refresh.
 */
async function fetchWithRetry(call: NetworkCall): Promise<NetworkAnswer> {
  const limitMs = call.timeoutMs ?? config.networkTimeoutMs;
  if (!isGet(call)) {
    return fetchAnswer(call, limitMs);
  }
  const began = performance.now();
  const answer = await fetchAnswer(call, limitMs).catch(() => undefined);
  const shouldRetry = !answer || failureIn(call, answer)?.kind === 'unavailable';
  const leftMs = maxTotalAttempts * limitMs - (performance.now() - began);

  return shouldRetry ? fetchAnswer(call, Math.min(leftMs, limitMs)) : answer;
}

async function fetchAnswer(call: NetworkCall, limitMs: number): Promise<NetworkAnswer> {
  const { method = 'GET', headers } = call;
  noteCall(call.platform);
  const response = await fetch(urlOf(call), {
    method,
    headers: { accept: 'application/json', ...contentTypeOf(call), ...headers },
    body: bodyOf(call),
    ...streaming,
    redirect: 'manual',
    signal: AbortSignal.timeout(Math.max(Math.ceil(limitMs), 0)),
  });
  const text = response.body ? await readBounded(response.body, maxAnswerBytes) : '';

  return {
    status: response.status,
    headers: response.headers,
    json: tryParseWithLongIds(text),
  };
}

export function isGet({ method = 'GET' }: Pick<NetworkCall, 'method'>): boolean {
  return method === 'GET';
}

export function isRepeatable(call: Pick<NetworkCall, 'method' | 'isHarmless'>): boolean {
  return isGet(call) || (call.isHarmless ?? false);
}

/** True if the call was never sent, or no connection was established. Then it had no effect. */
function wasNotSent(failure: unknown): boolean {
  if (failure instanceof CircuitOpenError) {
    return true;
  }
  const code = (failure as { cause?: { code?: string } })?.cause?.code ?? '';

  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(code);
}

function urlOf({ url, query = {} }: NetworkCall): URL {
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) {
      target.searchParams.set(name, String(value));
    }
  }

  return target;
}

function contentTypeOf({ json, form, bytes }: NetworkCall): Record<string, string> {
  if (json !== undefined) {
    return { 'content-type': 'application/json' };
  }
  if (form) {
    return { 'content-type': 'application/x-www-form-urlencoded' };
  }

  return bytes ? { 'content-type': bytes.contentType } : {};
}

function bodyOf({ json, form, bytes }: NetworkCall): BodyInit | null {
  if (json !== undefined) {
    return JSON.stringify(json);
  }
  if (form) {
    const entries = Object.entries(definedFields(form));

    return new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  }

  return bytes?.content ?? null;
}

function failureOf(call: NetworkCall, answer: NetworkAnswer): NetworkError {
  const explanation = call.explain?.(answer) ?? { kind: kindOf(call, answer.status) };
  const { kind, code, message = `${call.platform} answered ${answer.status}` } = explanation;
  const retryAfterMs = explanation.retryAfterMs ?? retryAfter(answer.headers);

  return new NetworkError(call.platform, kind, {
    message,
    code: code ?? String(answer.status),
    retryAfterMs,
  });
}

/** Maps a status to a failure kind, for responses whose body contains no explanation. */
export function kindOf(
  call: Pick<NetworkCall, 'method' | 'isHarmless'>,
  status: number,
): NetworkFailureKind {
  if (status === 401) {
    return 'tokenInvalid';
  }
  if (status === 403) {
    return 'scopeMissing';
  }
  if (status === 404 || status === 410) {
    return 'notFound';
  }
  if (status === 429) {
    return 'rateLimited';
  }
  // A 503 means that the server did not accept the call.
  if (status === 503) {
    return 'unavailable';
  }
  if (status >= 500) {
    return isRepeatable(call) ? 'unavailable' : 'outcomeUnknown';
  }

  return 'refused';
}

/** Converts `Retry-After` (seconds or a date) to milliseconds. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (!value) {
    return undefined;
  }
  const ms = /^\d+$/.test(value) ? Number(value) * secondMs : Date.parse(value) - now();

  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

/**
 * Parses the body of a response with a schema.
 *
 * @throws NetworkError if the body does not match: `unavailable`, or `outcomeUnknown` if the call
 * may have taken effect.
 */
export function readAnswer<T>(
  platform: Platform,
  schema: z.ZodType<T>,
  answer: NetworkAnswer,
  kind: 'unavailable' | 'outcomeUnknown' = 'unavailable',
): T {
  const parsed = schema.safeParse(answer.json);
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') || 'body';

    throw new NetworkError(platform, kind, {
      message: `${platform} returned ${answer.status} without a valid ${where}`,
      cause: parsed.error,
    });
  }

  return parsed.data;
}
