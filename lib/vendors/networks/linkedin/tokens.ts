import { secondMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import {
  callNetwork,
  type Explanation,
  type NetworkAnswer,
} from '#lib/vendors/networks/call-network.ts';
import type {
  Credentials,
  NetworkPage,
  TokenFacts,
  Tokens,
} from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import { scopesOf } from '#lib/vendors/networks/scopes-of.ts';
import * as z from '#schemas/zod.ts';
import { callLinkedIn, organizationIdOf, organizationUrn, restli } from './call.ts';

const roles = ['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR'];

const introspection = z.object({
  active: z.boolean(),
  scope: z.string().optional(),
  expires_at: z.number().min(0).max(1e11).optional(),
});

const accessControls = z.object({
  elements: z.array(
    z.object({
      organizationalTarget: z.string(),
      role: z.string(),
      state: z.string().optional(),
      roleAssignee: z.string().optional(),
      'organizationalTarget~': z
        .object({ localizedName: z.string().optional(), vanityName: z.string().optional() })
        .optional(),
    }),
  ),
});

const renewal = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().optional(),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
});

const oauthFailure = z.object({
  error: z.string().optional(),
  error_description: z.string().optional(),
});

/** An organization that the token may act for, and the member whose token it is. */
export type AdministeredOrganization = {
  readonly id: string;
  readonly name: string;
  readonly vanityName: string | undefined;
  /** URN of the member. */
  readonly administrator: string | undefined;
};

export async function validateToken(credentials: Credentials): Promise<TokenFacts> {
  const [facts, organizations] = await Promise.all([
    introspect(credentials.accessToken),
    listOrganizations(credentials),
  ]);

  return { ...facts, platformUserIds: organizations.map(({ id }) => id) };
}

/** The organizations in which the member may publish. */
export async function listOrganizations(
  credentials: Pick<Credentials, 'accessToken'>,
): Promise<readonly AdministeredOrganization[]> {
  const answer = await callLinkedIn(credentials, {
    method: 'GET',
    path: '/v2/organizationalEntityAcls',
    query: {
      q: 'roleAssignee',
      state: 'APPROVED',
      // The assignee beside the target is from memory: to be checked before going live.
      projection:
        '(elements*(organizationalTarget~(localizedName,vanityName),role,state,roleAssignee))',
      count: 100,
    },
  });
  const { elements } = readAnswer('LINKEDIN', accessControls, answer);
  const found = new Map<string, AdministeredOrganization>();
  for (const element of elements) {
    const id = organizationIdOf(element.organizationalTarget);
    const { localizedName, vanityName } = element['organizationalTarget~'] ?? {};
    if (id !== undefined && roles.includes(element.role) && element.state !== 'REVOKED') {
      const administrator = element.roleAssignee;
      found.set(id, { id, name: localizedName ?? id, vanityName, administrator });
    }
  }

  return [...found.values()];
}

export async function listPages(credentials: Credentials): Promise<readonly NetworkPage[]> {
  const organizations = await listOrganizations(credentials);
  const followers = await Promise.all(
    organizations.map(({ id }) => findFollowers({ ...credentials, platformUserId: id })),
  );

  return organizations.map(({ id, name, vanityName }, index) => ({
    platformPageId: id,
    name,
    category: null,
    url: `https://www.linkedin.com/company/${encodeURIComponent(vanityName ?? id)}`,
    isActive: true,
    followersCount: followers[index] ?? null,
    lastPostDate: null,
  }));
}

/** A page of which the member may not see the followers is listed all the same. */
async function findFollowers(credentials: Credentials): Promise<number | null> {
  try {
    return await countFollowers(credentials);
  } catch (failure) {
    if (failure instanceof NetworkError && failure.kind === 'scopeMissing') {
      return null;
    }
    throw failure;
  }
}

/** The one exact number of followers; the follower statistics only have shares of it. */
export async function countFollowers(credentials: Credentials): Promise<number | null> {
  const answer = await callLinkedIn(credentials, {
    method: 'GET',
    path: `/rest/networkSizes/${restli(organizationUrn(credentials.platformUserId))}`,
    query: { edgeType: 'COMPANY_FOLLOWED_BY_MEMBER' },
  });
  const size = z.object({ firstDegreeSize: z.number().optional() });

  return readAnswer('LINKEDIN', size, answer).firstDegreeSize ?? null;
}

/** The refresh token stays the same, and lives for a year from the first consent. */
export async function refreshToken(tokens: {
  readonly refreshToken?: string | undefined;
}): Promise<Tokens> {
  if (!tokens.refreshToken) {
    throw new NetworkError('LINKEDIN', 'tokenInvalid', {
      message: 'LinkedIn returned no refresh token. Please connect the account again',
    });
  }
  const { clientId, clientSecret } = await networkApp('LINKEDIN');
  const answer = await callOauth('/oauth/v2/accessToken', {
    grant_type: 'refresh_token',
    refresh_token: tokens.refreshToken,
    client_id: clientId,
    client_secret: clientSecret,
  });
  const renewed = readAnswer('LINKEDIN', renewal, answer);

  return {
    accessToken: renewed.access_token,
    ...(renewed.refresh_token === undefined ? {} : { refreshToken: renewed.refresh_token }),
    ...(renewed.expires_in === undefined ? {} : { expiresInSeconds: renewed.expires_in }),
    ...(renewed.scope === undefined ? {} : { scopes: scopesOf(renewed.scope) }),
  };
}

async function introspect(token: string): Promise<Omit<TokenFacts, 'platformUserIds'>> {
  const { clientId, clientSecret } = await networkApp('LINKEDIN');
  const answer = await callOauth('/oauth/v2/introspectToken', {
    client_id: clientId,
    client_secret: clientSecret,
    token,
  });
  const { active, scope, expires_at } = readAnswer('LINKEDIN', introspection, answer);
  if (!active) {
    throw new NetworkError('LINKEDIN', 'tokenInvalid', {
      message: 'The token is not active',
    });
  }

  return {
    ...(scope === undefined ? {} : { scopes: scopesOf(scope) }),
    ...(expires_at === undefined
      ? {}
      : { expiresAt: new Date(expires_at * secondMs).toISOString() }),
  };
}

/** Both calls may be sent again: a look at a token, and a new token beside the one that is there. */
function callOauth(path: string, form: Readonly<Record<string, string>>): Promise<NetworkAnswer> {
  return callNetwork({
    platform: 'LINKEDIN',
    method: 'POST',
    url: `${config.networks.linkedin.oauthBase}${path}`,
    form,
    isHarmless: true,
    explain: explainOauth,
  });
}

function explainOauth(answer: NetworkAnswer): Explanation | undefined {
  const { error, error_description } = oauthFailure.safeParse(answer.json).data ?? {};
  if (error === undefined || answer.status >= 500 || answer.status === 429) {
    return undefined;
  }
  // The app's own credentials are the operator's to mend, and say nothing about an account.
  const kind = error === 'invalid_client' ? 'unavailable' : 'tokenInvalid';

  return { kind, message: error_description ?? error, code: error };
}
