import { createHmac, randomBytes } from 'node:crypto';
import { jsonAnswer, parseJson } from '../../../frame/http.ts';
import type { SandboxAnswer, SandboxRequest } from '../../../frame/service.ts';
import { type NetworkCall, NetworkRefusal } from '../network-definition.ts';
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

/** An error as the Graph API tells it. */
export function graphError(failure: GraphFailure): SandboxAnswer {
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

/** The same, thrown. */
export function refuse(failure: GraphFailure): never {
  throw new NetworkRefusal(graphError(failure));
}

/** An outage: the codes of the Graph API for a failure of its own. */
export function graphOutage(status: number, message: string): SandboxAnswer {
  return graphError({ status, code: 2, message, isTransient: status >= 500 });
}

/** What is not there, or not for this token: the Graph API does not tell which. */
export function refuseUnknown(method: string, id: string): never {
  refuse({
    status: 400,
    code: 100,
    subcode: 33,
    type: 'GraphMethodException',
    message: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
  });
}

export function refuseParameter(message: string): never {
  refuse({ status: 400, code: 100, message: `(#100) ${message}` });
}

/** Query and body together, as the Graph API reads them; objects may come as JSON in a form. */
export function parametersOf(request: SandboxRequest): Readonly<Record<string, unknown>> {
  const query = Object.fromEntries(request.query);
  const isJson = (request.headers['content-type'] ?? '').startsWith('application/json');
  const body: unknown = isJson
    ? parseJson(request.body)
    : Object.fromEntries(new URLSearchParams(request.body));

  return { ...query, ...(typeof body === 'object' ? body : {}) };
}

/** A parameter that is a text, or undefined. */
export function textOf(
  parameters: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const value = parameters[name];

  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A parameter that is an object or a list, in JSON where it came in a form. */
export function structureOf(parameters: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = parameters[name];

  return typeof value === 'string' ? parseJson(value) : value;
}

/** Whom the call's token speaks for. Without a living one, or the scope, the call is refused. */
export function requireGrant({ world, request }: NetworkCall, scope?: string): Grant {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const token = bearer ?? textOf(parametersOf(request), 'access_token');

  if (token === undefined) {
    refuse({ status: 400, code: 104, message: 'An access token is required for this request.' });
  }

  const grant = requireLiving(world, token);

  if (scope !== undefined && !grant.scopes.includes(scope)) {
    refuse({
      status: 403,
      code: scope.includes('publish') || scope.includes('manage_posts') ? 200 : 10,
      message: `(#200) Requires ${scope} permission to manage the object`,
    });
  }

  return grant;
}

function requireLiving(world: NetworkWorld, token: string): Grant {
  const { state, grant } = world.tokens.check(token);

  if (state === 'valid' && grant !== undefined) {
    return grant;
  }

  const [subcode, message] = tokenMessages[state === 'valid' ? 'unknown' : state];

  return refuse({ status: 401, code: 190, subcode, message });
}

/** The proof that a call comes from the app's own server. */
export function requireProof({ world, request }: NetworkCall, grant: Grant): void {
  const proof = textOf(parametersOf(request), 'appsecret_proof');

  if (proof === undefined) {
    refuse({
      status: 400,
      code: 100,
      type: 'GraphMethodException',
      message: 'API calls from the server require an appsecret_proof argument',
    });
  }

  const expected = createHmac('sha256', world.app.clientSecret).update(grant.accessToken);

  if (proof !== expected.digest('hex')) {
    refuse({
      status: 400,
      code: 100,
      type: 'GraphMethodException',
      message: 'Invalid appsecret_proof provided in the API argument',
    });
  }
}

/** How much of the app's calls of an hour is used, in percent. */
export function usageHeaders(world: NetworkWorld): Readonly<Record<string, string>> {
  const { used, limit } = world.rates.take('app', 100_000, 3_600_000);
  const share = Math.floor((used / limit) * 100);

  return {
    'x-app-usage': JSON.stringify({ call_count: share, total_time: share, total_cputime: share }),
  };
}

/** Graph paths have a version in front; the pattern stands after it. */
export function graphPath(pattern: string): RegExp {
  return new RegExp(`^/v\\d+\\.\\d+${pattern}$`);
}
