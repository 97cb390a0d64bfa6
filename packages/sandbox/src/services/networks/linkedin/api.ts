import { jsonAnswer, parseJson } from '../../../frame/http.ts';
import type { SandboxAnswer, SandboxRequest } from '../../../frame/service.ts';
import { type NetworkCall, NetworkRejectionError } from '../network-definition.ts';
import type { Grant, TokenState } from '../token-store.ts';

type RestliFailure = {
  readonly status: number;
  readonly code: string;
  readonly serviceErrorCode?: number;
  readonly message: string;
};

const releaseDay = 15;

const tokenFailures: Readonly<Record<Exclude<TokenState, 'valid'>, RestliFailure>> = {
  expired: {
    status: 401,
    serviceErrorCode: 65602,
    code: 'EXPIRED_ACCESS_TOKEN',
    message: 'The token used in the request has expired',
  },
  revoked: {
    status: 401,
    serviceErrorCode: 65601,
    code: 'REVOKED_ACCESS_TOKEN',
    message: 'The token used in the request has been revoked by the user',
  },
  unknown: {
    status: 401,
    serviceErrorCode: 65600,
    code: 'INVALID_ACCESS_TOKEN',
    message: 'Invalid access token',
  },
};

/** Creates an error in LinkedIn's format. */
export function apiError({
  status,
  code,
  serviceErrorCode,
  message,
}: RestliFailure): SandboxAnswer {
  return jsonAnswer(status, {
    status,
    code,
    ...(serviceErrorCode === undefined ? {} : { serviceErrorCode }),
    message,
  });
}

/** Throws an API error. */
export function reject(failure: RestliFailure): never {
  throw new NetworkRejectionError(apiError(failure));
}

export function rejectField(name: string, status: 400 | 422 = 400): never {
  reject({
    status,
    code: 'MISSING_FIELD',
    message: `Field ${name} is required but not found and has no default value`,
  });
}

export function rejectUnknown(what: string): never {
  reject({ status: 404, code: 'NOT_FOUND', message: `Could not find entity ${what}` });
}

/** Creates an outage, or a failure with the given status. */
export function outage(status: number, message: string): SandboxAnswer {
  if (status === 429) {
    return apiError({
      status,
      code: 'TOO_MANY_REQUESTS',
      serviceErrorCode: 101,
      message: 'Resource level throttle DAY limit for calls to this resource is reached.',
    });
  }

  return apiError({ status, code: codeOf(status), message });
}

function codeOf(status: number): string {
  return status >= 500 ? 'INTERNAL_SERVER_ERROR' : 'BAD_REQUEST';
}

/** Requires a valid token with the scope, and below `/rest` also the version headers. */
export function requireGrant(call: NetworkCall, scope: string): Grant {
  const { world, request } = call;
  requireVersion(call);
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];

  if (token === undefined) {
    reject({
      status: 401,
      code: 'EMPTY_ACCESS_TOKEN',
      serviceErrorCode: 65604,
      message: 'Empty oauth2 access token',
    });
  }

  const { state, grant } = world.tokens.check(token);

  if (state !== 'valid' || grant === undefined) {
    return reject(tokenFailures[state === 'valid' ? 'unknown' : state]);
  }

  if (!grant.scopes.includes(scope)) {
    reject({
      status: 403,
      code: 'ACCESS_DENIED',
      serviceErrorCode: 100,
      message: `Not enough permissions to access: ${request.method} ${request.path} (${scope})`,
    });
  }

  return grant;
}

function requireVersion({ world, request: { path, headers } }: NetworkCall): void {
  if (!path.startsWith('/rest/')) {
    return;
  }

  const version = headers['linkedin-version'];

  if (version === undefined) {
    reject({
      status: 400,
      code: 'VERSION_MISSING',
      message: 'A version must be present. Please specify a version by adding the LinkedIn-Version',
    });
  }

  if (!isActive(version, world.clock())) {
    reject({
      status: 426,
      code: 'NONEXISTENT_VERSION',
      message: `Requested version ${version} is not active`,
    });
  }

  if (headers['x-restli-protocol-version'] !== '2.0.0') {
    reject({
      status: 400,
      code: 'ILLEGAL_ARGUMENT',
      message: 'URNs and lists require protocol version 2.0.0',
    });
  }
}

/** A version is released in the middle of its month and ends a year later. */
function isActive(version: string, now: Date): boolean {
  const [, year, month] = /^(20\d\d)(0[1-9]|1[0-2])(?:\.\d+)?$/.exec(version) ?? [];
  const from = Date.UTC(Number(year), Number(month) - 1, releaseDay);
  const until = Date.UTC(Number(year) + 1, Number(month) - 1, releaseDay);

  return now.getTime() >= from && now.getTime() < until;
}

/** Returns the organizations that the token's member administers. */
export function organizationsOf(
  grant: Grant,
): ReadonlyArray<{ readonly id: string; readonly name: string }> {
  return grant.isPerson ? grant.pages : [{ id: grant.userId, name: grant.userName }];
}

/** Returns the URN of the token's member. */
export function memberUrn(grant: Grant): string {
  const id = grant.isPerson ? grant.userId : `admin-of-${grant.userId}`;

  return `urn:li:person:${id}`;
}

/**
 * Returns the id from an organization's URN. Requires that the member administers the organization.
 */
export function requireOrganization(grant: Grant, urn: unknown, field: string): string {
  if (typeof urn !== 'string') {
    return rejectField(field);
  }

  const id = organizationId(urn);

  if (!organizationsOf(grant).some((one) => one.id === id)) {
    reject({
      status: 403,
      code: 'ACCESS_DENIED',
      message: `Member is not authorized to act as ${urn}`,
    });
  }

  return id;
}

export function organizationId(urn: string): string {
  return urn.replace('urn:li:organization:', '');
}

export function organizationUrn(id: string): string {
  return `urn:li:organization:${id}`;
}

/** Parses `List(a,b)`. */
export function listOf(value: string | null): readonly string[] {
  const inner = /^List\((.*)\)$/.exec(value ?? '')?.[1] ?? '';

  return inner === '' ? [] : inner.split(',');
}

/** Parses a JSON object. */
export function bodyOf(request: SandboxRequest): Readonly<Record<string, unknown>> {
  const body = parseJson(request.body);

  if (typeof body !== 'object' || body === null) {
    return reject({ status: 400, code: 'ILLEGAL_ARGUMENT', message: 'The body is not an object' });
  }

  return { ...body };
}

/** Creates a 201 response with the new id in a header. */
export function created(id: string, body: Readonly<Record<string, unknown>> = {}): SandboxAnswer {
  return jsonAnswer(201, body, { 'x-restli-id': id });
}

export function pageOf(
  elements: readonly unknown[],
  { query }: SandboxRequest,
  defaultCount = 10,
): SandboxAnswer {
  const start = Number(query.get('start') ?? 0);
  const count = Number(query.get('count') ?? defaultCount);

  return jsonAnswer(200, {
    paging: { start, count, links: [], total: elements.length },
    elements: elements.slice(start, start + count),
  });
}
