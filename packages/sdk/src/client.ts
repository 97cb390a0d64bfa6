import { SocialLeadsError } from './error.ts';
import { type Areas, operations } from './operations.ts';
import { type Operation, Paged, type Send } from './paged.ts';

export type ClientOptions = {
  /** The origin of the service, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /** An API key, an operator's key for `platform`, or the `authToken` of a session. In browsers, the session's cookie works too. */
  readonly token?: string;
  /** The number of retries after a 429, 502, 503 or a network failure. Default: 2. */
  readonly maxRetries?: number;
  /** Default: 35,000. The slowest operation answers within 29 seconds. */
  readonly timeoutMs?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
};

export type CallOptions = {
  /** Default: a random key for each call. Retries of a call use the same key. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
};

type Input = Readonly<Record<string, unknown>>;

const retriedStatuses: readonly number[] = [429, 502, 503];
/** If the service asks for a longer wait, the call throws the error instead of retrying. */
const longestWaitMs = 60_000;
const firstWaitMs = 500;

/** A client for the API: `client.<area>.<operation>({ … })`. */
export type SocialLeads = Areas;

export const SocialLeads = class {
  constructor(options: ClientOptions) {
    for (const [area, methods] of Object.entries(operations)) {
      const calls = Object.entries(methods).map(([name, operation]) => [
        name,
        (input: Input = {}, callOptions: CallOptions = {}) =>
          call(options, operation, input, callOptions),
      ]);
      Object.assign(this, { [area]: Object.fromEntries(calls) });
    }
  }
} as unknown as new (
  options: ClientOptions,
) => SocialLeads;

function call(
  options: ClientOptions,
  operation: Operation,
  input: Input,
  callOptions: CallOptions,
): Promise<unknown> | Paged<Input> {
  const send: Send = (sent) => request(options, operation, sent, callOptions);

  return operation.items ? new Paged(send, operation, input) : send(input);
}

/** Sends the request, with retries, and returns the body of the response. */
async function request(
  options: ClientOptions,
  operation: Operation,
  input: Input,
  callOptions: CallOptions,
): Promise<Input> {
  const { url, init } = requestOf(options, operation, input, callOptions);
  const canRepeat = init.method !== 'POST' || operation.isIdempotent === true;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptOf(options, url, init, callOptions);
    if (outcome instanceof Response && isSuccess(outcome, operation)) {
      return (await contentOf(outcome)) as Input;
    }
    const error = await errorOf(outcome, init.method, url);
    const waitMs = waitMsAfter(error, attempt);
    const isLast = attempt >= (options.maxRetries ?? 2) || waitMs > longestWaitMs;
    if (isLast || !isTemporary(error, canRepeat)) {
      throw error;
    }
    await wait(waitMs, callOptions.signal);
  }
}

function requestOf(
  { baseUrl, token }: ClientOptions,
  { method, path, query = [], header, isIdempotent }: Operation,
  input: Input,
  { idempotencyKey }: CallOptions,
) {
  const rest: Record<string, unknown> = { ...input };
  const take = (name: string) => {
    const { [name]: value } = rest;
    delete rest[name];

    return value;
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(take(name))));
  const organizationId = header && take(header);
  const search = new URLSearchParams(
    query.flatMap((name) => {
      const value = take(name);

      return value === undefined || value === null ? [] : [[name, String(value)]];
    }),
  ).toString();
  const hasBody = method !== 'GET' && Object.keys(rest).length > 0;

  return {
    url: `${baseUrl.replace(/\/$/, '')}${filled}${search && `?${search}`}`,
    init: {
      method,
      redirect: 'manual' as const,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(organizationId ? { 'x-organization-id': String(organizationId) } : {}),
        ...(isIdempotent && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
        ...(hasBody && { 'content-type': 'application/json' }),
      },
      ...(hasBody && { body: JSON.stringify(rest) }),
    },
  };
}

/** Returns the response, or the error if the network failed. */
async function attemptOf(
  options: ClientOptions,
  url: string,
  init: RequestInit,
  { signal }: CallOptions,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 35_000);
  const send = options.fetch ?? fetch;
  try {
    return await send(url, {
      ...init,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch (failure) {
    signal?.throwIfAborted();

    return failure;
  }
}

function isSuccess({ ok, status, type }: Response, { isRedirect }: Operation): boolean {
  return ok || (isRedirect === true && (status === 302 || type === 'opaqueredirect'));
}

async function contentOf(response: Response): Promise<unknown> {
  if (!response.ok) {
    return { location: response.headers.get('location') };
  }
  const isJson = response.headers.get('content-type')?.startsWith('application/json');

  return isJson ? response.json() : response.text();
}

async function errorOf(outcome: unknown, method: string, url: string): Promise<SocialLeadsError> {
  const call = `${method} ${new URL(url, 'http://localhost').pathname}`;
  if (!(outcome instanceof Response)) {
    return new SocialLeadsError(`${call} got no response`, { status: 0, cause: outcome });
  }
  const { status, headers } = outcome;
  const text = await outcome.text().catch(() => '');
  const body = parsed(text);
  const message = [body.message ?? text.slice(0, 200)].flat().join('; ');

  const requestId = headers.get('x-request-id') ?? undefined;
  const request = requestId ? ` (request ${requestId})` : '';

  return new SocialLeadsError(`${call} returned ${status}: ${message}${request}`, {
    status,
    body,
    requestId,
    retryAfter: headers.get('retry-after') ?? undefined,
  });
}

function parsed(text: string): Input {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function isTemporary({ status, code }: SocialLeadsError, canRepeat: boolean): boolean {
  // The request changed nothing, so a retry is safe. After other failures, it may have succeeded.
  if (status === 429 || code === 'IDEMPOTENCY_IN_PROGRESS') {
    return true;
  }

  return canRepeat && (status === 0 || retriedStatuses.includes(status));
}

function waitMsAfter({ retryAfter }: SocialLeadsError, attempt: number): number {
  const seconds = Number(retryAfter);

  return retryAfter !== undefined && seconds >= 0
    ? seconds * 1_000
    : firstWaitMs * 2 ** attempt * (0.5 + Math.random() / 2);
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
