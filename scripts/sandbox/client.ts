import type { Fault, FaultRequest } from './frame/faults.ts';
import type { LoggedRequest } from './frame/request-log.ts';
import type { SandboxMail } from './services/ses.ts';

/** Which calls to list; `since` is an ISO time. */
type RequestQuery = {
  readonly service?: string;
  readonly since?: string;
  readonly limit?: number;
  readonly contains?: string;
};

export type SandboxClient = {
  readonly reset: () => Promise<void>;
  readonly requests: (query?: RequestQuery) => Promise<readonly LoggedRequest[]>;
  readonly addFault: (fault: FaultRequest) => Promise<{ readonly id: string }>;
  readonly faults: () => Promise<readonly Fault[]>;
  readonly endFault: (id: string) => Promise<void>;
  readonly clearFaults: () => Promise<void>;
  readonly mails: (to?: string) => Promise<readonly SandboxMail[]>;
};

/** Talks to the control API of the sandbox at `url`; throws with its reason where it refuses. */
export function sandboxClient(url: string): SandboxClient {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}/_sandbox${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });

    if (!response.ok) {
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    }

    return (await response.json()) as T;
  };

  return {
    reset: async () => {
      await call('POST', '/reset');
    },
    requests: async (query = {}) => {
      const { requests } = await call<{ requests: readonly LoggedRequest[] }>(
        'GET',
        `/requests?${toQuery(query)}`,
      );

      return requests;
    },
    addFault: (fault) => call('POST', '/faults', fault),
    faults: async () => (await call<{ faults: readonly Fault[] }>('GET', '/faults')).faults,
    endFault: async (id) => {
      await call('DELETE', `/faults/${encodeURIComponent(id)}`);
    },
    clearFaults: async () => {
      await call('DELETE', '/faults');
    },
    mails: async (to) => {
      const { mails } = await call<{ mails: readonly SandboxMail[] }>(
        'GET',
        `/mails?${toQuery({ to })}`,
      );

      return mails;
    },
  };
}

function toQuery(values: Readonly<Record<string, string | number | undefined>>): string {
  return new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString();
}
