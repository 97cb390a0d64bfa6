import type * as z from 'zod';
import type { Contract } from '#schemas/contract.ts';

/** The network of a developer's own machine is quick; the slowest endpoint has 29 seconds. */
const timeoutMs = 35_000;

type Input<C extends Contract> = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: z.input<NonNullable<C['body']>>;
};

/** Calls an endpoint as its contract says. */
export type Call = <C extends Contract>(
  contract: C,
  input?: Input<C>,
) => Promise<z.output<C['response']>>;

/**
 * Calls the running service as anybody would, signed in by `token` if there is one. An answer that
 * is no success, or not what the contract promises, is an error that names the call.
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
        `${method} ${url} answered ${answer.status} ${reasonIn(text)} (request ${requestId})`,
      );
    }

    return response.parse(JSON.parse(text)) as z.output<C['response']>;
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

/** The message of the service's own refusals; of anything else its beginning. */
function reasonIn(text: string): string {
  try {
    return `"${JSON.parse(text).message}"`;
  } catch {
    return `"${text.slice(0, 200)}"`;
  }
}
