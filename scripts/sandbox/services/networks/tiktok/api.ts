import { randomBytes } from 'node:crypto';
import { jsonAnswer, parseJson } from '../../../frame/http.ts';
import type { SandboxAnswer, SandboxRequest } from '../../../frame/service.ts';
import { type NetworkCall, NetworkRefusal } from '../network-definition.ts';
import type { Grant } from '../token-store.ts';

const minuteMs = 60_000;

/** A successful response of the public API. Every response has both `data` and `error`. */
export function tiktokAnswer(data: object): SandboxAnswer {
  return jsonAnswer(200, { data, error: { code: 'ok', message: '', log_id: logId() } });
}

/** An error in the public API's format. */
export function tiktokError(status: number, code: string, message: string): SandboxAnswer {
  return jsonAnswer(status, { data: {}, error: { code, message, log_id: logId() } });
}

/** Throws an error in the public API's format. */
export function refuse(status: number, code: string, message: string): never {
  throw new NetworkRefusal(tiktokError(status, code, message));
}

export function refuseParameter(message: string): never {
  refuse(400, 'invalid_params', message);
}

export function tiktokOutage(status: number, message: string): SandboxAnswer {
  return tiktokError(status, 'internal_error', message);
}

function logId(): string {
  return randomBytes(16).toString('hex').toUpperCase();
}

/** Returns the token's grant, or throws if the token is invalid or lacks a scope. */
export function requireGrant({ world, request }: NetworkCall, ...scopes: readonly string[]): Grant {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const { state, grant } = world.tokens.check(token);

  if (state !== 'valid' || grant === undefined) {
    return refuse(
      401,
      'access_token_invalid',
      'The access token is invalid or not found in the request.',
    );
  }

  if (scopes.some((scope) => !grant.scopes.includes(scope))) {
    refuse(
      401,
      'scope_not_authorized',
      'The user did not authorize the scope required for completing this request.',
    );
  }

  return grant;
}

/** Enforces a limit of calls per user and minute. */
export function requireCallLeft(
  { world, request }: NetworkCall,
  { userId }: Grant,
  calls: number,
): void {
  if (world.rates.take(`${request.path} ${userId}`, calls, minuteMs).isExceeded) {
    refuse(429, 'rate_limit_exceeded', 'The API rate limit was exceeded. Please try again later.');
  }
}

/** Parses a JSON body, or returns an empty object. */
export function bodyOf(request: SandboxRequest): unknown {
  return parseJson(request.body) ?? {};
}

/** Writes 19-digit ids in a JSON response as numbers, as TikTok does. */
export function withLongNumbers(answer: SandboxAnswer): SandboxAnswer {
  return { ...answer, body: longNumbers(answer.body) };
}

/** Writes ids of 16 or more digits as numbers. JavaScript numbers can't represent them exactly. */
export function longNumbers(json: string): string {
  return json.replaceAll(
    /("(?:comment_id|video_id|publicaly_available_post_id)":\[?)"(\d{16,})"/g,
    '$1$2',
  );
}
