import { randomBytes } from 'node:crypto';
import { jsonAnswer, parseJson } from '../../../frame/http.ts';
import type { SandboxAnswer, SandboxRequest } from '../../../frame/service.ts';
import { type NetworkCall, NetworkRejectionError } from '../network-definition.ts';
import type { Grant } from '../token-store.ts';

const minuteMs = 60_000;

/** Creates a response of the public API, which always contains `data` and `error`. */
export function apiAnswer(data: object): SandboxAnswer {
  return jsonAnswer(200, { data, error: { code: 'ok', message: '', log_id: logId() } });
}

/** Creates an error in the format of the public API. */
export function apiError(status: number, code: string, message: string): SandboxAnswer {
  return jsonAnswer(status, { data: {}, error: { code, message, log_id: logId() } });
}

/** Throws an API error. */
export function reject(status: number, code: string, message: string): never {
  throw new NetworkRejectionError(apiError(status, code, message));
}

export function rejectParameter(message: string): never {
  reject(400, 'invalid_params', message);
}

/** Creates an outage. */
export function outage(status: number, message: string): SandboxAnswer {
  return apiError(status, 'internal_error', message);
}

function logId(): string {
  return randomBytes(16).toString('hex').toUpperCase();
}

/** Returns the grant of the call's token. Rejects an invalid token or a missing scope. */
export function requireGrant({ world, request }: NetworkCall, ...scopes: readonly string[]): Grant {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const { state, grant } = world.tokens.check(token);

  if (state !== 'valid' || grant === undefined) {
    return reject(
      401,
      'access_token_invalid',
      'The access token is invalid or not found in the request.',
    );
  }

  if (scopes.some((scope) => !grant.scopes.includes(scope))) {
    reject(
      401,
      'scope_not_authorized',
      'The user did not authorize the scope required for completing this request.',
    );
  }

  return grant;
}

/** Counts a user's calls per minute and rejects those above the limit. */
export function requireCallLeft(
  { world, request }: NetworkCall,
  { userId }: Grant,
  calls: number,
): void {
  if (world.rates.take(`${request.path} ${userId}`, calls, minuteMs).isExceeded) {
    reject(429, 'rate_limit_exceeded', 'The API rate limit was exceeded. Please try again later.');
  }
}

/** Parses a JSON body. */
export function bodyOf(request: SandboxRequest): unknown {
  return parseJson(request.body) ?? {};
}

/** Returns the requested fields. Rejects those that the documentation does not list. */
export function requestedFields(
  { query }: SandboxRequest,
  known: readonly string[],
): readonly string[] {
  const fields = (query.get('fields') ?? '').split(',').map((field) => field.trim());
  const unknown = fields.find((field) => !known.includes(field));

  return unknown === undefined
    ? fields
    : rejectParameter(`Fields is not valid: ${unknown || 'it is empty'}`);
}

/** Returns a JSON response with 19-digit ids as numbers, as TikTok sends them. */
export function withLongNumbers(answer: SandboxAnswer): SandboxAnswer {
  return { ...answer, body: longNumbers(String(answer.body)) };
}

/** Converts ids of 16 or more digits to JSON numbers, which exceed JavaScript's precision. */
export function longNumbers(json: string): string {
  return json.replaceAll(
    /("(?:comment_id|video_id|item_id|post_id|publicaly_available_post_id)":\[?)"(\d{16,})"/g,
    '$1$2',
  );
}
