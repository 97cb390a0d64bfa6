import type * as z from 'zod';
import type { Contract } from '#schemas/contract.ts';

/** Above the slowest endpoint's limit of 29 seconds. Local network latency is negligible. */
const timeoutMs = 35_000;

type Input<C extends Contract> = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: z.input<NonNullable<C['body']>>;
};

/** Calls an endpoint as defined by its contract. */
export type Call = <C extends Contract>(
  contract: C,
  input?: Input<C>,
) => Promise<z.output<NonNullable<C['response']>>>;

/**
 * A client for the running service, authenticated by `token` if given. Throws an error that names
 * the call if the response is not a success or does not match the contract.
 */
export function apiClient(api: string, token?: string): Call {
  return async <C extends Contract>(contract: C, input: Input<C> = {}) => {
    const { method, response } = contract;
    const url = urlOf(contract.path, input.params, input.query);
    const answer = await fetch(`${api}${url}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await answer.text();

    if (answer.status !== (contract.status ?? 200)) {
      const requestId = answer.headers.get('x-request-id');
      throw new Error(
        `${method} ${url} returned ${answer.status} ${reasonIn(text)} (request ${requestId})`,
      );
    }

    return response?.parse(JSON.parse(text)) as z.output<NonNullable<C['response']>>;
  };
}

function urlOf(
  path: string,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string>> = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();

  return search ? `${filled}?${search}` : filled;
}

/** The message of the service's own error responses, or the start of any other body. */
function reasonIn(text: string): string {
  try {
    return `"${JSON.parse(text).message}"`;
  } catch {
    return `"${text.slice(0, 200)}"`;
  }
}
