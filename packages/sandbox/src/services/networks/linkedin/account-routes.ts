import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { authorize, type ConsentRules } from '../consent/authorization-page.ts';
import { exchangeGrant, type GrantProblem } from '../consent/code-exchange.ts';
import { personGrant } from '../consent/person-grant.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import {
  accountOf,
  metricOf,
  type NetworkWorld,
  postsOf,
  type SandboxPost,
} from '../network-world.ts';
import type { Grant } from '../token-store.ts';
import {
  listOf,
  memberUrn,
  organizationId,
  organizationsOf,
  organizationUrn,
  rejectField,
  requireGrant,
  requireOrganization,
} from './api.ts';
import { memberScopes } from './scopes.ts';

const rules: ConsentRules = {
  networkName: 'LinkedIn',
  clientParameter: 'client_id',
  clients: ({ app }) => [{ clientId: app.clientId, needsPkce: false, scopes: memberScopes }],
  scopeSeparator: ' ',
  managesAccounts: true,
  denial: {
    error: 'user_cancelled_authorize',
    error_description: 'The user cancelled the authorization',
  },
};

/** Tokens, members and organizations. */
export const accountRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: /^\/oauth\/v2\/introspectToken$/, answer: introspect },
  { method: 'GET', path: /^\/oauth\/v2\/authorization$/, answer: (call) => authorize(call, rules) },
  { method: 'POST', path: /^\/oauth\/v2\/accessToken$/, answer: exchange },
  { method: 'GET', path: /^\/v2\/userinfo$/, answer: userInfo },
  { method: 'GET', path: /^\/rest\/organizationAcls$/, answer: listAccessControls },
  { method: 'GET', path: /^\/rest\/organizationsLookup$/, answer: lookUpOrganizations },
  { method: 'GET', path: /^\/rest\/networkSizes\/([^/]+)$/, answer: networkSize },
  {
    method: 'GET',
    path: /^\/rest\/organizationalEntityShareStatistics$/,
    answer: shareStatistics,
  },
];

function introspect({ world, request }: NetworkCall): SandboxAnswer {
  const form = new URLSearchParams(request.body);

  if (!isApp({ world, request }, form)) {
    return oauthFailure(401, 'invalid_client', 'Client authentication failed');
  }

  const { state, grant } = world.tokens.check(form.get('token') ?? '');

  if (grant === undefined || state === 'unknown') {
    return jsonAnswer(200, { active: false });
  }

  return jsonAnswer(200, {
    active: state === 'valid',
    status: state === 'valid' ? 'active' : state,
    client_id: world.app.clientId,
    authorized_at: seconds(grant.issuedAt),
    created_at: seconds(grant.issuedAt),
    ...(grant.expiresAt === null ? {} : { expires_at: seconds(grant.expiresAt) }),
    scope: grant.scopes.join(','),
    auth_type: '3L',
  });
}

function exchange({ world, request }: NetworkCall): SandboxAnswer {
  const form = new URLSearchParams(request.body);

  if (!isApp({ world, request }, form)) {
    return oauthFailure(401, 'invalid_client', 'Client authentication failed');
  }

  return exchangeGrant(world, form, {
    grantOf: personGrant,
    answer: (grant, issued) => tokenAnswer(world, grant, issued?.person.hasRefreshToken ?? true),
    reject: rejectGrant,
  });
}

function rejectGrant(problem: GrantProblem): SandboxAnswer {
  switch (problem) {
    case 'grantType':
      return oauthFailure(400, 'unsupported_grant_type', 'The grant type is not supported');
    case 'refreshToken':
      return oauthFailure(
        400,
        'invalid_grant',
        'The provided authorization grant or refresh token is invalid, expired or revoked.',
      );
    default:
      return oauthFailure(
        400,
        problem === 'redirectUri' ? 'invalid_redirect_uri' : 'invalid_request',
        'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired. Or external member binding exists',
      );
  }
}

function tokenAnswer(world: NetworkWorld, grant: Grant, hasRefreshToken: boolean): SandboxAnswer {
  const left = (until: Date | null) =>
    until === null ? undefined : Math.max(0, seconds(until) - seconds(world.clock()));

  return jsonAnswer(200, {
    access_token: grant.accessToken,
    expires_in: left(grant.expiresAt),
    ...(hasRefreshToken
      ? {
          refresh_token: grant.refreshToken,
          refresh_token_expires_in: left(grant.refreshExpiresAt),
        }
      : {}),
    scope: grant.scopes.join(','),
  });
}

function isApp({ world }: Pick<NetworkCall, 'world' | 'request'>, form: URLSearchParams): boolean {
  const { clientId, clientSecret } = world.app;

  return form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
}

function oauthFailure(status: number, error: string, description: string): SandboxAnswer {
  return jsonAnswer(status, { error, error_description: description });
}

function userInfo(call: NetworkCall): SandboxAnswer {
  const grant = requireGrant(call, 'openid');
  const sub = memberUrn(grant).replace('urn:li:person:', '');

  return jsonAnswer(200, { sub, name: grant.userName, email: `${sub}@example.com` });
}

function listAccessControls(call: NetworkCall): SandboxAnswer {
  const grant = requireGrant(call, 'rw_organization_admin');

  if (call.request.query.get('q') !== 'roleAssignee') {
    rejectField('q');
  }

  return jsonAnswer(200, {
    elements: organizationsOf(grant).map(({ id }) => ({
      organization: organizationUrn(id),
      role: 'ADMINISTRATOR',
      roleAssignee: memberUrn(grant),
      state: 'APPROVED',
    })),
  });
}

/** Returns the names of organizations. Requires no role in them. */
function lookUpOrganizations(call: NetworkCall): SandboxAnswer {
  const grant = requireGrant(call, 'rw_organization_admin');
  const known = new Map(organizationsOf(grant).map(({ id, name }) => [id, name]));
  const results = listOf(call.request.query.get('ids')).map((id) => [
    id,
    {
      id,
      localizedName: accountOf(call.world, id, known.get(id)).name,
      vanityName: id.toLowerCase(),
    },
  ]);

  return jsonAnswer(200, { results: Object.fromEntries(results), statuses: {}, errors: {} });
}

function networkSize(call: NetworkCall): SandboxAnswer {
  requireGrant(call, 'r_organization_social');

  if (call.request.query.get('edgeType') !== 'COMPANY_FOLLOWED_BY_MEMBER') {
    rejectField('edgeType');
  }

  const [urn = ''] = call.parts;

  return jsonAnswer(200, { firstDegreeSize: accountOf(call.world, organizationId(urn)).followers });
}

/**
 * Returns statistics of the given posts, or the total of all. Omits posts of other organizations.
 */
function shareStatistics(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const grant = requireGrant(call, 'rw_organization_admin');
  const urn = request.query.get('organizationalEntity');
  const id = requireOrganization(grant, urn, 'organizationalEntity');
  const posts = postsOf(world, id);
  const requested = [
    ...listOf(request.query.get('shares')).map((share) => ({ share })),
    ...listOf(request.query.get('ugcPosts')).map((ugcPost) => ({ ugcPost })),
  ];
  const elements =
    requested.length === 0
      ? [{ organizationalEntity: urn, totalShareStatistics: totalOf(posts) }]
      : requested.flatMap((name) => {
          const post = posts.find((one) => Object.values(name).includes(one.id));

          return post === undefined
            ? []
            : [{ ...name, organizationalEntity: urn, totalShareStatistics: totalOf([post]) }];
        });

  return jsonAnswer(200, { paging: { start: 0, count: 10, links: [] }, elements });
}

function totalOf(posts: readonly SandboxPost[]) {
  const sum = (name: string) => posts.reduce((total, post) => total + metricOf(post, name), 0);
  const interactions = sum('likes') + sum('comments') + sum('shares') + sum('clicks');

  return {
    likeCount: sum('likes'),
    commentCount: sum('comments'),
    shareCount: sum('shares'),
    clickCount: sum('clicks'),
    uniqueImpressionsCount: sum('reach'),
    impressionCount: sum('impressions'),
    engagement: interactions / Math.max(1, sum('impressions')),
  };
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
