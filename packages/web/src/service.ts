import { SocialLeads, SocialLeadsError } from '../../sdk/src/index.ts';

export type * from '../../sdk/src/index.ts';
export { SocialLeadsError };

/**
 * The only client of the service. The session is the browser's cookie. The client does not retry:
 * people see a failure immediately and decide, and a form that is sent again keeps its idempotency
 * key.
 */
export const client = new SocialLeads({
  baseUrl: location.origin,
  maxRetries: 0,
  fetch: (input, init) => fetch(input, { ...init, credentials: 'include' }),
});

const codesOfEndedSessions: readonly (string | undefined)[] = [
  'SESSION_INVALID',
  'AUTHENTICATION_REQUIRED',
];

export function isSessionEnd(error: unknown): boolean {
  return (
    error instanceof SocialLeadsError &&
    error.status === 401 &&
    codesOfEndedSessions.includes(error.code)
  );
}

export function isNotFound(error: unknown): boolean {
  return error instanceof SocialLeadsError && error.status === 404;
}

/** True if the same request is still being processed. */
export function isInProgress(error: unknown): boolean {
  return error instanceof SocialLeadsError && error.code === 'IDEMPOTENCY_IN_PROGRESS';
}

/** True if the request certainly changed nothing. */
export function isRejection(error: unknown): boolean {
  return (
    error instanceof SocialLeadsError &&
    error.status >= 400 &&
    error.status < 500 &&
    !isInProgress(error)
  );
}

/** A failure in the page itself, with a message for people. */
export class PageError extends Error {}

/** Returns the failure as a sentence for people. */
export function messageOf(error: unknown): string {
  if (error instanceof PageError) {
    return error.message;
  }
  if (!(error instanceof SocialLeadsError)) {
    return 'Something went wrong in this page. Reload it and try again.';
  }
  const { status, body, retryAfter, requestId } = error;
  if (status === 0) {
    return 'We couldn’t reach Social Leads. Check your connection.';
  }
  if (status === 429) {
    return `Too many requests. Try again in ${waitInWords(Number(retryAfter ?? 60))}.`;
  }
  if (status >= 500) {
    const request = requestId ? ` The request was ${requestId}.` : '';

    return `Something went wrong on our side.${request}`;
  }

  return [body.message ?? 'The request was rejected']
    .flat()
    .map((message) => sentence(String(message)))
    .join(' ');
}

/** Returns the messages for the fields of a form, by name. */
export function fieldMessagesOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof SocialLeadsError) || error.status !== 400) {
    return {};
  }
  const messages = [error.body.message ?? []].flat().map(String);
  const named = error.issues.length > 0 ? error.issues : messages.map(issueOf);

  return Object.fromEntries(
    named
      .map(({ path, message }) => [
        path,
        sentence(message.startsWith(`${path} `) ? message.slice(path.length + 1) : message),
      ])
      .reverse(),
  );
}

/** A message begins with the path of its field. */
function issueOf(message: string) {
  return { path: message.split(' ')[0] ?? '', message };
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase();

  return `${first}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

function waitInWords(seconds: number): string {
  return seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.max(1, seconds)} seconds`;
}
