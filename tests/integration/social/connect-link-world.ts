import * as links from '#schemas/connect-links.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { Account } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { consentAt, type Person, receiveOauthCallback } from './oauth-world.ts';

export async function newLink(
  { token }: Pick<Account, 'token'>,
  body: Readonly<Record<string, unknown>> = {},
) {
  const answer = await call(links.createConnectLink, {
    token,
    body: { platform: 'FACEBOOK', ...body },
  });
  if (answer.status !== 201) {
    throw new Error(`Creating a link answered ${answer.status}`);
  }
  const { connectLink } = answer.body;

  return { ...connectLink, linkToken: connectLink.url.split('/').at(-1) as string };
}

export function openConnectLink(
  linkToken: string,
  query?: Record<string, string>,
): Promise<Answer> {
  return call(links.openConnectLink, { params: { token: linkToken }, ...(query ? { query } : {}) });
}

export function submitConnectLink(
  linkToken: string,
  fields: ReadonlyArray<readonly [string, string]>,
): Promise<Answer> {
  return call(links.submitConnectLink, {
    params: { token: linkToken },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
  });
}

/** Submits the form of a session. */
export function choose(linkToken: string, sessionId: string, ids: readonly string[]) {
  return submitConnectLink(linkToken, [
    ['session', sessionId],
    ...ids.map((id) => ['account', id] as const),
  ]);
}

function sessionIn(answer: Answer): string {
  return new URL(answer.headers.location ?? '').searchParams.get('session') ?? '';
}

/** Goes from the page of a link to the network and back, and returns the session's id. */
export async function goThrough(
  linkToken: string,
  platform: Platform,
  decision: 'allow' | 'deny' = 'allow',
  person?: Person,
): Promise<string> {
  const { headers } = await openConnectLink(linkToken, { start: '1' });
  const query = await consentAt(headers.location ?? '', decision, person);

  return sessionIn(await receiveOauthCallback(platform, query));
}
