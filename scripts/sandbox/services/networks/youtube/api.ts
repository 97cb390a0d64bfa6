import { jsonAnswer, parseJson } from '../../../frame/http.ts';
import type { SandboxAnswer, SandboxRequest } from '../../../frame/service.ts';
import { type NetworkCall, NetworkRefusal } from '../network-definition.ts';
import type { Grant } from '../token-store.ts';
import { takeUnits } from './quota.ts';

type GoogleFailure = {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly domain?: string;
};

const base = 'https://www.googleapis.com/auth';
/** OAuth scopes for uploads only, for everything, for reading and for reports. */
export const scopes = {
  upload: `${base}/youtube.upload`,
  all: `${base}/youtube.force-ssl`,
  read: `${base}/youtube.readonly`,
  reports: `${base}/yt-analytics.readonly`,
} as const;

/** An error in the format of Google's APIs. */
export function googleError({
  status,
  reason,
  message,
  domain = 'youtube',
}: GoogleFailure): SandboxAnswer {
  return jsonAnswer(status, {
    error: { code: status, message, errors: [{ message, domain, reason }] },
  });
}

/** Throws an error in the format of Google's APIs. */
export function refuse(failure: GoogleFailure): never {
  throw new NetworkRefusal(googleError(failure));
}

/** An outage or any other requested status. */
export function googleOutage(status: number, message: string): SandboxAnswer {
  if (status === 401) {
    return googleError(badCredentials);
  }

  if (status === 403 || status === 429) {
    return googleError({ ...quotaExceeded, status });
  }

  return googleError({ status, reason: status >= 500 ? 'backendError' : 'badRequest', message });
}

const badCredentials: GoogleFailure = {
  status: 401,
  reason: 'authError',
  domain: 'global',
  message: 'Request had invalid authentication credentials. Expected OAuth 2 access token.',
};

const quotaExceeded: GoogleFailure = {
  status: 403,
  reason: 'quotaExceeded',
  domain: 'youtube.quota',
  message: 'The request cannot be completed because you have exceeded your quota.',
};

/**
 * Requires a valid token with one of the scopes, and takes the call's cost from the daily quota.
 */
export function requireChannel(
  call: NetworkCall,
  anyOf: readonly string[],
  cost: { readonly units?: number; readonly uploads?: number } = { units: 1 },
): Grant {
  const { world, request } = call;
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const { state, grant } = world.tokens.check(token);

  if (state !== 'valid' || grant === undefined) {
    return refuse(badCredentials);
  }

  if (!anyOf.some((scope) => grant.scopes.includes(scope))) {
    refuse({
      status: 403,
      reason: 'insufficientPermissions',
      domain: 'global',
      message: 'Request had insufficient authentication scopes.',
    });
  }

  if (!takeUnits(world, cost)) {
    refuse(quotaExceeded);
  }

  return grant;
}

export function refuseParameter(name: string): never {
  refuse({
    status: 400,
    reason: 'missingRequiredParameter',
    domain: 'global',
    message: `Required parameter: ${name}`,
  });
}

/** Requires an object as the body. */
export function bodyOf(request: SandboxRequest): Readonly<Record<string, unknown>> {
  const body = parseJson(request.body);

  if (typeof body !== 'object' || body === null) {
    return refuse({
      status: 400,
      reason: 'parseError',
      domain: 'global',
      message: 'Invalid JSON payload received.',
    });
  }

  return { ...body };
}

/** Returns the requested parts. */
export function partsOf({ query }: SandboxRequest): ReadonlySet<string> {
  const part = query.get('part');

  return part === null ? refuseParameter('part') : new Set(part.split(','));
}

/** Keeps only the requested parts. */
export function only(
  parts: ReadonlySet<string>,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => parts.has(name)));
}

/** One page of a list. The page token is the offset of the next page. */
export function pageOf(items: readonly unknown[], { query }: SandboxRequest): SandboxAnswer {
  const perPage = Number(query.get('maxResults') ?? 20);
  const start = Number(query.get('pageToken') ?? 0);
  const end = start + perPage;

  return jsonAnswer(200, {
    pageInfo: { totalResults: items.length, resultsPerPage: perPage },
    items: items.slice(start, end),
    ...(end < items.length ? { nextPageToken: String(end) } : {}),
  });
}
