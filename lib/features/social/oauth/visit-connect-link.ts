import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { getMany, query } from '#lib/platform/db/read.ts';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import { ApiError } from '#lib/platform/errors/failures.ts';
import type { HttpAnswer } from '#lib/platform/http/request.ts';
import type { ConnectedAccount } from './connect-choices.ts';
import type { ConnectLink } from './connect-link.ts';
import { countSession, type FoundLink, findLinkByToken } from './connect-links.ts';
import {
  type Asked,
  type ChoiceProblem,
  choicePage,
  donePage,
  failurePage,
  linkExhaustedPage,
  linkGonePage,
  linkUnknownPage,
  type PageChoice,
  startPage,
} from './connect-page.ts';
import { describeChoices, findSession, type OAuthSession } from './oauth-session.ts';
import { startSession } from './start-session.ts';

type Visit = {
  /** Set if the person wants to continue to the network. */
  readonly start?: string | undefined;
  readonly session?: string | undefined;
  readonly problem?: string | undefined;
};

type KnownLink = Extract<FoundLink, { readonly link: ConnectLink }>;

export function isKnown(found: FoundLink): found is KnownLink {
  return 'link' in found;
}

export function endPage({ state }: FoundLink): HttpAnswer {
  return state === 'unknown' ? linkUnknownPage() : linkGonePage();
}

export function redirectTo(location: string): HttpAnswer {
  return {
    statusCode: 302,
    headers: { location, 'content-type': 'text/html; charset=utf-8' },
    body: '',
  };
}

/** Returns the page of a link, or the redirect to the network. */
export async function visitConnectLink(token: string, visit: Visit): Promise<HttpAnswer> {
  const found = await findLinkByToken(token);
  if (!isKnown(found)) {
    return endPage(found);
  }
  const { link, owner, state } = found;
  const asked = { owner, platform: link.platform };
  if (visit.start !== undefined && state === 'open') {
    return startFrom(asked, link, token);
  }
  const session = await findSessionOf(link, visit.session);
  if (state === 'used') {
    return session?.status === 'DONE' ? showResult(asked, session) : linkGonePage();
  }
  if (visit.session === undefined) {
    return startPage(asked);
  }

  return session ? showSession(asked, session, visit.problem) : failurePage(asked, 'EXPIRED');
}

async function startFrom(asked: Asked, link: ConnectLink, token: string): Promise<HttpAnswer> {
  if (!(await countSession(link))) {
    return linkExhaustedPage(asked);
  }
  const starter = { connectLinkId: link.id, linkToken: token };
  try {
    const { authorizationUrl } = await startSession(
      link.organizationId,
      { platform: link.platform, starter },
      noExtraWrites,
    );

    return redirectTo(authorizationUrl);
  } catch (failure) {
    // Without the app's credentials, the person cannot be sent to the network.
    if (failure instanceof ApiError && failure.kind === 'upstream') {
      return failurePage(asked, 'UNAVAILABLE');
    }
    throw failure;
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the session if this link started it. */
export async function findSessionOf(
  { organizationId, id }: ConnectLink,
  sessionId: string | null | undefined,
): Promise<OAuthSession | undefined> {
  if (!sessionId || !uuid.test(sessionId)) {
    return undefined;
  }
  const session = await findSession(organizationId, sessionId);

  return session?.connectLinkId === id ? session : undefined;
}

async function showSession(
  asked: Asked,
  session: OAuthSession,
  problem: string | undefined,
): Promise<HttpAnswer> {
  if (session.status === 'FAILED') {
    return failurePage(asked, session.failure ?? 'REJECTED');
  }
  if (session.status !== 'READY') {
    return startPage(asked);
  }

  return choicePage({
    ...asked,
    sessionId: session.id,
    choices: await pageChoices(session),
    problem: isProblem(problem) ? problem : undefined,
    failures: session.failures ?? [],
  });
}

function isProblem(problem: string | undefined): problem is ChoiceProblem {
  return problem === 'none' || problem === 'many';
}

async function pageChoices(session: OAuthSession): Promise<readonly PageChoice[]> {
  const choices = await describeChoices(session);
  const known = await getMany<SocialAccount>(
    choices.flatMap(({ accountId }) =>
      accountId ? [socialKeys.socialAccount(session.organizationId, accountId)] : [],
    ),
  );
  const active = new Set(known.flatMap((account) => (account?.isActive ? [account.id] : [])));

  return choices.map((choice) => ({ ...choice, isActive: active.has(choice.accountId ?? '') }));
}

async function showResult(asked: Asked, session: OAuthSession): Promise<HttpAnswer> {
  const { organizationId, id, choices = [], failures = [] } = session;
  const connected = await query<{ readonly account: ConnectedAccount }>(
    socialRanges.oauthConnections(organizationId, id),
  );

  return donePage({
    ...asked,
    connected: connected.map(({ account }) => account.platformUserName),
    failures,
    names: new Map(choices.map(({ platformUserId, name }) => [platformUserId, name])),
  });
}
