import { randomBytes } from 'node:crypto';
import { jsonAnswer, parseJson } from '../../../frame/http.ts';
import type { SandboxAnswer, SandboxRequest } from '../../../frame/service.ts';
import { type NetworkCall, NetworkRejectionError } from '../network-definition.ts';
import type { Grant } from '../token-store.ts';
import { takeUnits } from './quota.ts';

type GoogleFailure = {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly domain?: string;
};

const base = 'https://www.googleapis.com/auth';
/** The scopes for uploads, full access, read access and reports. */
export const scopes = {
  upload: `${base}/youtube.upload`,
  all: `${base}/youtube.force-ssl`,
  read: `${base}/youtube.readonly`,
  reports: `${base}/yt-analytics.readonly`,
} as const;

/** Creates an error in the format of Google's APIs. */
export function apiError({
  status,
  reason,
  message,
  domain = 'youtube',
}: GoogleFailure): SandboxAnswer {
  return jsonAnswer(status, {
    error: { code: status, message, errors: [{ message, domain, reason }] },
  });
}

/** Throws an API error. */
export function reject(failure: GoogleFailure): never {
  throw new NetworkRejectionError(apiError(failure));
}

/** Creates an outage, or a failure with the given status. */
export function outage(status: number, message: string): SandboxAnswer {
  if (status === 401) {
    return apiError(badCredentials);
  }

  if (status === 403 || status === 429) {
    return apiError({ ...quotaExceeded, status });
  }

  return apiError({ status, reason: status >= 500 ? 'backendError' : 'badRequest', message });
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

/** Requires a valid token with one of the scopes, and charges the call to the daily quota. */
export function requireGrant(
  call: NetworkCall,
  anyOf: readonly string[],
  cost: { readonly units?: number; readonly uploads?: number } = { units: 1 },
): Grant {
  const { world, request } = call;
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const { state, grant } = world.tokens.check(token);

  if (state !== 'valid' || grant === undefined) {
    return reject(badCredentials);
  }

  if (!anyOf.some((scope) => grant.scopes.includes(scope))) {
    reject({
      status: 403,
      reason: 'insufficientPermissions',
      domain: 'global',
      message: 'Request had insufficient authentication scopes.',
    });
  }

  if (!takeUnits(world, cost)) {
    reject(quotaExceeded);
  }

  return grant;
}

export function rejectParameter(name: string): never {
  reject({
    status: 400,
    reason: 'missingRequiredParameter',
    domain: 'global',
    message: `Required parameter: ${name}`,
  });
}

/** Parses a JSON object. */
export function bodyOf(request: SandboxRequest): Readonly<Record<string, unknown>> {
  const body = parseJson(request.body);

  if (typeof body !== 'object' || body === null) {
    return reject({
      status: 400,
      reason: 'parseError',
      domain: 'global',
      message: 'Invalid JSON payload received.',
    });
  }

  return { ...body };
}

/** Returns the values of a list. They are separated by commas, or the parameter is repeated. */
export function valuesOf({ query }: SandboxRequest, name: string): readonly string[] {
  return query.getAll(name).flatMap((values) => values.split(',').map((value) => value.trim()));
}

/** The parts of each resource, from Google's discovery document. */
const knownParts: Readonly<Record<string, string>> = {
  channels:
    'auditDetails brandingSettings contentDetails contentOwnerDetails id localizations snippet statistics status topicDetails',
  comments: 'id snippet',
  commentThreads: 'id replies snippet',
  playlistItems: 'contentDetails id snippet status',
  videos:
    'contentDetails fileDetails id liveStreamingDetails localizations paidProductPlacementDetails player processingDetails recordingDetails snippet statistics status suggestions topicDetails',
};

/** Returns the requested parts of the resource that the path names. */
export function partsOf(request: SandboxRequest): ReadonlySet<string> {
  const parts = valuesOf(request, 'part').filter(Boolean);
  const known = knownParts[request.path.split('/').at(-1) ?? '']?.split(' ') ?? [];
  const unknown = parts.find((part) => !known.includes(part));

  if (unknown !== undefined) {
    reject({
      status: 400,
      reason: 'unknownPart',
      domain: 'youtube.part',
      message: `'${unknown}'`,
    });
  }

  return parts.length === 0 ? rejectParameter('part') : new Set(parts);
}

/** Returns the fields of the requested parts. */
export function only(
  parts: ReadonlySet<string>,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => parts.has(name)));
}

/** Returns a page of a list. The page token is the index of its first item. */
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

export function newCommentId(): string {
  return `Ug${randomBytes(18).toString('base64url')}`;
}
