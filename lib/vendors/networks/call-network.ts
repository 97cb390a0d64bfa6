import { CircuitOpenError, throughCircuit } from '#lib/platform/circuit-breaker.ts';
import { now, secondMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import type { Platform } from '#schemas/platforms.ts';
import { NetworkError, type NetworkFailureKind } from './network-error.ts';

/** A call to a network. GETs are tried twice; everything else is sent once. */
export type NetworkCall = {
  readonly platform: Platform;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Absolute, without the query. */
  readonly url: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** At most one of the three. */
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string | number | undefined>>;
  readonly bytes?: { readonly content: BodyInit; readonly contentType: string };
  /** Longer than `NETWORK_TIMEOUT_MS` where bytes travel. */
  readonly timeoutMs?: number;
  /**
   * Statuses beside 2xx that are an answer and not a failure, such as the 308 of an upload. A
   * redirect is never followed.
   */
  readonly alsoAccepts?: readonly number[];
  /** The call changes nothing that anybody sees: no answer means `unavailable`, not unknown. */
  readonly isHarmless?: boolean;
  /** What a failed answer means; `undefined` leaves it to the status. */
  readonly explain?: (answer: NetworkAnswer) => Explanation | undefined;
  /**
   * For networks that tell a failure in the body of a 200: `true` treats such an answer as failed.
   */
  readonly isFailure?: (answer: NetworkAnswer) => boolean;
};

export type NetworkAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body, `undefined` where it is not JSON. */
  readonly json: unknown;
  readonly text: string;
};

export type Explanation = {
  readonly kind: NetworkFailureKind;
  readonly message?: string | undefined;
  readonly code?: string | undefined;
  readonly retryAfterMs?: number | undefined;
};

/** What `fetch` asks for where a body is a stream; the types of the browser do not know it. */
const streaming = { duplex: 'half' };
/** In time limits of one try. */
const maxTimeOfBothTries = 1.3;
/** No answer that this service asks for is larger. */
const maxAnswerBytes = 5_000_000;

/**
 * Sends one call and returns what the network answered. A network that is known not to work is not
 * called.
 *
 * @throws NetworkError for everything else: no other failure leaves this function.
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
  const { platform, method } = call;
  const { host, pathname } = new URL(call.url);
  try {
    return await throughCircuit(`${platform} ${host}`, () => fetchPatiently(call), {
      inAnswer: ({ status }) => status >= 500,
      // Bytes come from an organization's own server, which may be what broke off.
      inFailure: (cause) => (call.bytes && !neverLeft(cause) ? undefined : true),
    });
  } catch (cause) {
    const isUnanswered = isRepeatable(call) || neverLeft(cause);
    throw new NetworkError(platform, isUnanswered ? 'unavailable' : 'outcomeUnknown', {
      message: `${platform} did not respond to ${method} ${pathname}`,
      cause,
    });
  }
}

/**
 * What only reads is sent once more where there was no answer, or none that says anything. A first
 * try that hung leaves little time to the second: whoever waits is to be told within ten seconds,
 * also where a token was renewed before.
 */
async function fetchPatiently(call: NetworkCall): Promise<NetworkAnswer> {
  const limitMs = call.timeoutMs ?? config.networkTimeoutMs;
  if (call.method !== 'GET') {
    return fetchAnswer(call, limitMs);
  }
  const began = performance.now();
  const answer = await fetchAnswer(call, limitMs).catch(() => undefined);
  const isWorthAnother = !answer || failureIn(call, answer)?.kind === 'unavailable';
  const leftMs = maxTimeOfBothTries * limitMs - (performance.now() - began);

  return isWorthAnother ? fetchAnswer(call, Math.min(leftMs, limitMs)) : answer;
}

async function fetchAnswer(call: NetworkCall, limitMs: number): Promise<NetworkAnswer> {
  const { method, headers } = call;
  const response = await fetch(urlOf(call), {
    method,
    headers: { accept: 'application/json', ...contentTypeOf(call), ...headers },
    body: bodyOf(call),
    ...streaming,
    redirect: 'manual',
    signal: AbortSignal.timeout(Math.max(Math.ceil(limitMs), 0)),
  });
  const text = await readText(response);

  return { status: response.status, headers: response.headers, json: parse(text), text };
}

function isRepeatable({ method, isHarmless }: NetworkCall): boolean {
  return method === 'GET' || (isHarmless ?? false);
}

/** What was not sent, or met no connection, has done nothing. */
function neverLeft(failure: unknown): boolean {
  if (failure instanceof CircuitOpenError) {
    return true;
  }
  const code = (failure as { cause?: { code?: string } })?.cause?.code ?? '';

  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(code);
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxAnswerBytes) {
      throw new Error(`The answer is larger than ${maxAnswerBytes} bytes`);
    }
    chunks.push(chunk);
  }

  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
    const entries = Object.entries(form).filter(([, value]) => value !== undefined);

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

/** What a status means where the network's body says nothing better. */
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
  // Whoever answers this says that it did not take the call.
  if (status === 503) {
    return 'unavailable';
  }
  if (status >= 500) {
    return isRepeatable(call as NetworkCall) ? 'unavailable' : 'outcomeUnknown';
  }

  return 'refused';
}

/** `Retry-After` in seconds or as a date, in milliseconds. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (!value) {
    return undefined;
  }
  const ms = /^\d+$/.test(value) ? Number(value) * secondMs : Date.parse(value) - now();

  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
