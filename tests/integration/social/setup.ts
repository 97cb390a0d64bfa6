import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { config } from '#lib/platform/config.ts';
import * as links from '#schemas/connect-links.ts';
import type { Platform } from '#schemas/platforms.ts';
import * as oauth from '#schemas/social-oauth.ts';
import * as webhooks from '#schemas/webhooks.ts';
import { newPlatformUserId } from '#scripts/fixtures/social-accounts.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';

export { newPlatformUserId, sandbox };

/** The sandbox allows the URL that networks redirect to. */
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

/** Registers a person at a network with `count` accounts: pages, channels or their own account. */
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

/**
 * Answers a network's authorization page, and returns the parameters that it appends to the
 * redirect URI.
 */
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

/** A session, and the secret that the browser got when it returned from the network. */
export type Consented = { readonly sessionId: string; readonly finish?: string };

export function getOauthSession(
  token: string,
  { sessionId, finish }: Consented,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return call(oauth.getOauthSession, {
    token,
    params: { session_id: sessionId },
    ...(finish === undefined ? {} : { query: { finish } }),
    headers,
  });
}

export function connectOauthSession(
  token: string,
  { sessionId, finish }: Consented,
  platformUserIds: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return call(oauth.connectOauthSession, {
    token,
    params: { session_id: sessionId },
    body: { finish, platformUserIds },
    headers,
  });
}

/** Returns the parameters that the callback's redirect passes to the app. */
export function handedOver({ headers }: Answer): Consented {
  const { searchParams } = new URL(headers.location ?? '');

  return {
    sessionId: searchParams.get('session') ?? '',
    finish: searchParams.get('finish') ?? '',
  };
}

/** Starts a session and gives consent. */
export async function consented(
  token: string,
  platform: Platform,
  person: Person,
  body: Readonly<Record<string, unknown>> = {},
): Promise<Consented> {
  const { authorizationUrl } = (await start(token, platform, body)).body;

  return handedOver(
    await receiveOauthCallback(platform, await consentAt(authorizationUrl, 'allow', person)),
  );
}

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

/** Goes from a link's page to the network and back, and returns the session's id. */
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

export async function received(name: string) {
  await drainWork();
  const requests = await sandbox.requests({ service: 'hooks' });

  return requests.filter(({ path }) => path.endsWith(name));
}

/** Creates an organization and manages its accounts' webhooks. */
export async function accountWebhookSetup() {
  const ada = await newAccount();

  function subscribeAccountWebhook(
    { id }: Pick<SocialAccount, 'id'>,
    body: object,
    { token } = ada,
  ) {
    return call(webhooks.subscribeAccountWebhook, { params: { account_id: id }, body, token });
  }

  function listAccountDeliveries({ id }: Pick<SocialAccount, 'id'>) {
    return call(webhooks.listAccountDeliveries, { params: { account_id: id }, token: ada.token });
  }

  function replayAccountDelivery({ id }: Pick<SocialAccount, 'id'>, deliveryId: string) {
    const params = { account_id: id, delivery_id: deliveryId };

    return call(webhooks.replayAccountDelivery, { params, token: ada.token });
  }

  return { ada, subscribeAccountWebhook, listAccountDeliveries, replayAccountDelivery };
}

/** Creates an organization that receives events, and a DynamoDB proxy. */
export async function intakeSetup() {
  const proxy = await useProxy();
  const ada = await newAccount();

  /** Returns outbox items and claims of events that are pending or were processed. */
  async function storedEvents() {
    const partitions = (await storedItems(`ORG#${ada.organizationId}#EVENTS#`)).map(
      ({ pk, sk }) => ({
        pk,
        sk,
      }),
    );

    return partitions;
  }

  return { proxy, ada, storedEvents };
}
