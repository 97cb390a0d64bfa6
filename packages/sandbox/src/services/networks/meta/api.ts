import { createHmac, randomBytes } from 'node:crypto';
import { jsonAnswer, parseJson } from '../../../frame/http.ts';
import type { SandboxAnswer, SandboxRequest } from '../../../frame/service.ts';
import { type NetworkCall, NetworkRejectionError } from '../network-definition.ts';
import type { NetworkWorld } from '../network-world.ts';
import type { Grant, TokenState } from '../token-store.ts';

type GraphFailure = {
  readonly status: number;
  readonly code: number;
  readonly subcode?: number;
  readonly type?: string;
  readonly message: string;
  readonly isTransient?: boolean;
};

const tokenMessages: Readonly<Record<Exclude<TokenState, 'valid'>, readonly [number, string]>> = {
  expired: [463, 'Error validating access token: Session has expired.'],
  revoked: [460, 'Error validating access token: The session was invalidated by the user.'],
  unknown: [0, 'Invalid OAuth access token - Cannot parse access token'],
};

/** Creates an error in the format of the Graph API. */
function apiError(failure: GraphFailure): SandboxAnswer {
  const { status, code, subcode, type = 'OAuthException', message, isTransient = false } = failure;

  return jsonAnswer(status, {
    error: {
      message,
      type,
      code,
      ...(subcode ? { error_subcode: subcode } : {}),
      ...(isTransient ? { is_transient: true } : {}),
      fbtrace_id: randomBytes(9).toString('base64url'),
    },
  });
}

/** Throws an API error. */
export function reject(failure: GraphFailure): never {
  throw new NetworkRejectionError(apiError(failure));
}

/** Creates an outage, with the Graph API's code for internal failures. */
export function outage(status: number, message: string): SandboxAnswer {
  return apiError({ status, code: 2, message, isTransient: status >= 500 });
}

/** Answers an unknown path, or one with an unknown version. */
export function unknownPath({ path }: Pick<SandboxRequest, 'path'>): SandboxAnswer {
  const withoutVersion = path.replace(/^\/v[\d.]+(?=\/)/, '');

  return apiError({
    status: 400,
    code: 2500,
    message: `Unknown path components: ${withoutVersion}`,
  });
}

/** Writes a time as the Graph API does. */
export function graphTime(iso: string): string {
  return iso.replace(/\.\d+Z$/, '+0000');
}

/**
 * Rejects an object that does not exist or is not accessible. The Graph API has one error for both.
 */
export function rejectUnknown(method: string, id: string): never {
  reject({
    status: 400,
    code: 100,
    subcode: 33,
    type: 'GraphMethodException',
    message: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
  });
}

export function rejectParameter(message: string): never {
  reject({ status: 400, code: 100, message: `(#100) ${message}` });
}

/** Merges query and body, as the Graph API does. Objects in a form are JSON. */
export function parametersOf(request: SandboxRequest): Readonly<Record<string, unknown>> {
  const query = Object.fromEntries(request.query);
  const isJson = (request.headers['content-type'] ?? '').startsWith('application/json');
  const body: unknown = isJson
    ? parseJson(request.body)
    : Object.fromEntries(new URLSearchParams(request.body));

  return { ...query, ...(typeof body === 'object' ? body : {}) };
}

/** Returns a text parameter, or `undefined`. */
export function textOf(
  parameters: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const value = parameters[name];

  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns an object or list parameter. Parses JSON if it came in a form. */
export function structureOf(parameters: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = parameters[name];

  return typeof value === 'string' ? parseJson(value) : value;
}

/** Returns the grant of the call's token. Rejects an invalid token or a missing scope. */
export function requireGrant({ world, request }: NetworkCall, scope?: string): Grant {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const token = bearer ?? textOf(parametersOf(request), 'access_token');

  if (token === undefined) {
    reject({ status: 400, code: 104, message: 'An access token is required for this request.' });
  }

  const grant = requireValidToken(world, token);

  if (scope !== undefined && !grant.scopes.includes(scope)) {
    reject({
      status: 403,
      code: scope.includes('publish') || scope.includes('manage_posts') ? 200 : 10,
      message: `(#200) Requires ${scope} permission to manage the object`,
    });
  }

  return grant;
}

function requireValidToken(world: NetworkWorld, token: string): Grant {
  const { state, grant } = world.tokens.check(token);

  if (state === 'valid' && grant !== undefined) {
    return grant;
  }

  const [subcode, message] = tokenMessages[state === 'valid' ? 'unknown' : state];

  return reject({ status: 400, code: 190, subcode, message });
}

/** Requires a valid `appsecret_proof`. */
export function requireProof(
  { world, request }: Pick<NetworkCall, 'world' | 'request'>,
  grant: Pick<Grant, 'accessToken'>,
): void {
  const proof = textOf(parametersOf(request), 'appsecret_proof');

  if (proof === undefined) {
    reject({
      status: 400,
      code: 100,
      type: 'GraphMethodException',
      message: 'API calls from the server require an appsecret_proof argument',
    });
  }

  const expected = createHmac('sha256', world.app.clientSecret).update(grant.accessToken);

  if (proof !== expected.digest('hex')) {
    reject({
      status: 400,
      code: 100,
      type: 'GraphMethodException',
      message: 'Invalid appsecret_proof provided in the API argument',
    });
  }
}

/** Returns the used share of the app's hourly calls, in percent. */
export function rateHeaders(world: NetworkWorld): Readonly<Record<string, string>> {
  const { used, limit } = world.rates.take('app', 100_000, 3_600_000);
  const share = Math.floor((used / limit) * 100);

  return {
    'x-app-usage': JSON.stringify({ call_count: share, total_time: share, total_cputime: share }),
  };
}

/** Prefixes a path pattern with the API version. */
export function graphPath(pattern: string): RegExp {
  return new RegExp(`^/v\\d+\\.\\d+${pattern}$`);
}

/** Returns a page of a list. The cursor is the encoded index of the next item. */
export function graphPage<Item>(all: readonly Item[], { query, path }: SandboxRequest) {
  const limit = Number(query.get('limit') ?? 25);
  const start = Number(Buffer.from(query.get('after') ?? '', 'base64url').toString() || 0);
  const end = start + limit;

  if (!(limit >= 1 && limit <= 100) || Number.isNaN(start)) {
    rejectParameter('Invalid limit or cursor');
  }

  const after = Buffer.from(String(end)).toString('base64url');
  const next = end < all.length ? { next: `https://graph.example${path}?after=${after}` } : {};

  return { items: all.slice(start, end), paging: { cursors: { after }, ...next } };
}
