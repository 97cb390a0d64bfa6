import type { SandboxRequest } from './service.ts';

const keptRequests = 20_000;
const keptBodyLength = 1_000_000;

/** A logged request. `status` is null until the sandbox sends a response. */
export type LoggedRequest = {
  readonly id: string;
  readonly at: string;
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number | null;
  readonly unexpected: boolean;
};

/** Filters for the logged requests. */
export type RequestFilter = {
  readonly service?: string;
  /** Returns only requests since this time. */
  readonly since?: Date;
  /** Returns only requests with this text in the path, query, headers or body. */
  readonly contains?: string;
  /** Returns at most this many requests, the newest ones. */
  readonly limit?: number;
};

export type RequestLog = {
  readonly record: (service: string, request: SandboxRequest) => void;
  readonly answered: (id: string, status: number, unexpected: boolean) => void;
  /** Returns the requests, oldest first. */
  readonly list: (filter: RequestFilter) => readonly LoggedRequest[];
  readonly clear: () => void;
};

/** Keeps the last 20,000 requests, starting when each one arrives. */
export function createRequestLog(): RequestLog {
  const entries = new Map<string, LoggedRequest>();

  return {
    record: (service, request) => {
      entries.set(request.id, toEntry(service, request));
      const [oldest = ''] = entries.keys();

      if (entries.size > keptRequests) {
        entries.delete(oldest);
      }
    },
    answered: (id, status, unexpected) => {
      const entry = entries.get(id);

      if (entry !== undefined) {
        entries.set(id, { ...entry, status, unexpected });
      }
    },
    list: (filter) => {
      const found = [...entries.values()].filter((entry) => fits(entry, filter));

      return filter.limit === undefined ? found : found.slice(-filter.limit);
    },
    clear: () => entries.clear(),
  };
}

function toEntry(service: string, request: SandboxRequest): LoggedRequest {
  return {
    id: request.id,
    at: request.at.toISOString(),
    service,
    method: request.method,
    path: request.path,
    query: Object.fromEntries(
      [...request.query.keys()].map((name) => {
        const values = request.query.getAll(name);

        return [name, values.length > 1 ? values : (values[0] ?? '')];
      }),
    ),
    headers: request.headers,
    body: request.body.slice(0, keptBodyLength),
    status: null,
    unexpected: false,
  };
}

function fits(entry: LoggedRequest, filter: RequestFilter): boolean {
  if (filter.service !== undefined && entry.service !== filter.service) {
    return false;
  }

  if (filter.since !== undefined && new Date(entry.at) < filter.since) {
    return false;
  }

  return filter.contains === undefined || searchText(entry).includes(filter.contains);
}

function searchText(entry: LoggedRequest): string {
  return [
    entry.path,
    ...Object.values(entry.query).flat(),
    ...Object.values(entry.headers),
    entry.body,
  ].join('\n');
}
