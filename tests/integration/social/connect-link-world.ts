import { createConnectLink, openConnectLink, submitConnectLink } from '#schemas/connect-links.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { Account } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { callback, consentAt, type Person } from './oauth-world.ts';

export async function newLink(
  { token }: Pick<Account, 'token'>,
  body: Readonly<Record<string, unknown>> = {},
) {
  const answer = await call(createConnectLink, { token, body: { platform: 'FACEBOOK', ...body } });
  if (answer.status !== 201) {
    throw new Error(`Creating a link answered ${answer.status}`);
  }
  const { connectLink } = answer.body;

  return { ...connectLink, linkToken: connectLink.url.split('/').at(-1) as string };
}

export function open(linkToken: string, query?: Record<string, string>): Promise<Answer> {
  return call(openConnectLink, { params: { token: linkToken }, ...(query ? { query } : {}) });
}

export function submit(
  linkToken: string,
  fields: ReadonlyArray<readonly [string, string]>,
): Promise<Answer> {
  return call(submitConnectLink, {
    params: { token: linkToken },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
  });
}

/** Submits the form of a session. */
export function choose(linkToken: string, sessionId: string, ids: readonly string[]) {
  return submit(linkToken, [['session', sessionId], ...ids.map((id) => ['account', id] as const)]);
}

export function sessionIn(answer: Answer): string {
  return new URL(answer.headers.location ?? '').searchParams.get('session') ?? '';
}

/** Goes from the page of a link to the network and back, and returns the session's id. */
export async function goThrough(
  linkToken: string,
  platform: Platform,
  decision: 'allow' | 'deny' = 'allow',
  person?: Person,
): Promise<string> {
  const { headers } = await open(linkToken, { start: '1' });
  const query = await consentAt(headers.location ?? '', decision, person);

  return sessionIn(await callback(platform, query));
}
