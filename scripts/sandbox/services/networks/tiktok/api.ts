import { randomBytes } from 'node:crypto';
import { jsonAnswer, parseJson } from '../../../frame/http.ts';
import type { SandboxAnswer, SandboxRequest } from '../../../frame/service.ts';
import { type NetworkCall, NetworkRefusal } from '../network-definition.ts';
import type { Grant } from '../token-store.ts';

const minuteMs = 60_000;

/** An answer of the public API: data and error stand in every one. */
export function tiktokAnswer(data: object): SandboxAnswer {
  return jsonAnswer(200, { data, error: { code: 'ok', message: '', log_id: logId() } });
}

/** An error as the public API tells it. */
export function tiktokError(status: number, code: string, message: string): SandboxAnswer {
  return jsonAnswer(status, { data: {}, error: { code, message, log_id: logId() } });
}

/** The same, thrown. */
export function refuse(status: number, code: string, message: string): never {
  throw new NetworkRefusal(tiktokError(status, code, message));
}

export function refuseParameter(message: string): never {
  refuse(400, 'invalid_params', message);
}

/** An outage. */
export function tiktokOutage(status: number, message: string): SandboxAnswer {
  return tiktokError(status, 'internal_error', message);
}

function logId(): string {
  return randomBytes(16).toString('hex').toUpperCase();
}

/** Whom the call's token speaks for. Refused without a living one, or without a scope. */
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

/** Counts a call of a user in a minute; one too many is refused. */
export function requireCallLeft(
  { world, request }: NetworkCall,
  { userId }: Grant,
  calls: number,
): void {
  if (world.rates.take(`${request.path} ${userId}`, calls, minuteMs).isExceeded) {
    refuse(429, 'rate_limit_exceeded', 'The API rate limit was exceeded. Please try again later.');
  }
}

/** A JSON body as an object. */
export function bodyOf(request: SandboxRequest): unknown {
  return parseJson(request.body) ?? {};
}

/** A JSON answer in which ids of 19 digits stand as numbers, as TikTok sends them. */
export function withLongNumbers(answer: SandboxAnswer): SandboxAnswer {
  return { ...answer, body: longNumbers(answer.body) };
}

/** Ids of 16 digits or more as numbers: no number of JavaScript could hold them. */
export function longNumbers(json: string): string {
  return json.replaceAll(
    /("(?:comment_id|video_id|publicaly_available_post_id)":\[?)"(\d{16,})"/g,
    '$1$2',
  );
}
