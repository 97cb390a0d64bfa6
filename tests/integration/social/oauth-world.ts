import { config } from '#lib/platform/config.ts';
import type { Platform } from '#schemas/platforms.ts';
import * as oauth from '#schemas/social-oauth.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { newPlatformUserId } from '#tests/support/social-accounts.ts';

export { newPlatformUserId, sandbox };

/** The address that networks redirect to is the one the sandbox knows. */
export function prepareConsent(): Promise<void> {
  return sandbox.setServiceUrl(config.publicBaseUrl);
}

export function start(
  token: string,
  platform: Platform,
  body: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  return call(oauth.startSocialOauth, {
    token,
    params: { platform: platform.toLowerCase() },
    body,
  });
}

export type Person = {
  readonly id: string;
  readonly name: string;
  readonly accounts: { readonly id: string; readonly name: string }[];
};

/** Registers somebody at a network with `count` accounts: pages, channels or their own. */
export async function newPerson(
  platform: Platform,
  { count = 1, name = 'Engines', scopes }: NewPerson = {},
): Promise<Person> {
  const accounts = Array.from({ length: count }, (_, index) => ({
    id: newPlatformUserId(),
    name: index === 0 ? name : `${name} ${index + 1}`,
  }));
  const person = { id: newPlatformUserId(), name: 'Ada', accounts };
  await sandbox.network(platform).addPerson({ ...person, ...(scopes ? { scopes } : {}) });

  return person;
}

type NewPerson = {
  readonly count?: number;
  readonly name?: string;
  readonly scopes?: string[];
};

type Query = Record<string, string>;

/** Answers a network's authorization page, and returns what it appends to the redirect URI. */
export async function consentAt(
  authorizationUrl: string,
  decision: 'allow' | 'deny' = 'allow',
  person?: Pick<Person, 'id'>,
): Promise<Query> {
  const url = new URL(authorizationUrl);
  url.searchParams.set('sandbox', decision);
  if (person) {
    url.searchParams.set('sandbox_person', person.id);
  }
  const { headers, status } = await fetch(url, { redirect: 'manual' });
  if (status !== 302) {
    throw new Error(`The authorization page answered ${status}`);
  }

  return Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);
}

export function receiveOauthCallback(platform: Platform | string, query: Query): Promise<Answer> {
  return call(oauth.receiveOauthCallback, { params: { platform: platform.toLowerCase() }, query });
}

export function getOauthSession(
  token: string,
  sessionId: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return call(oauth.getOauthSession, { token, params: { session_id: sessionId }, headers });
}

export function connectOauthSession(
  token: string,
  sessionId: string,
  platformUserIds: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return call(oauth.connectOauthSession, {
    token,
    params: { session_id: sessionId },
    body: { platformUserIds },
    headers,
  });
}

/** Starts a session, gives consent, and returns the session's id. */
export async function consented(
  token: string,
  platform: Platform,
  person: Person,
  body: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { authorizationUrl, sessionId } = (await start(token, platform, body)).body;
  await receiveOauthCallback(platform, await consentAt(authorizationUrl, 'allow', person));

  return sessionId;
}
