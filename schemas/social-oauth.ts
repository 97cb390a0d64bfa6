import { id, orNull, text, timestamp } from './common.ts';
import { contract, memberOfCurrent, openToAll, peopleOnly } from './contract.ts';
import { platformInPath } from './platform-path.ts';
import { choiceKinds, networkRefusals, platform } from './platforms.ts';
import { account } from './social.ts';
import * as z from './zod.ts';

const sessionStatuses = ['PENDING', 'READY', 'FAILED', 'DONE'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

const consentPurposes = ['publishing', 'messaging'] as const;

/**
 * The maximum number of accounts that one request may connect, because each needs several calls to
 * the network.
 */
export const maxConnections = 20;

const administers = memberOfCurrent('ADMIN');
const sessionId = id('0192f0c3-2b40-7a11-8c44-5d6e7f809a1b');

const finish = text({
  max: 100,
  example: 'k9Xb2vQ7tYp1cR5mW8zN3sLd6HfJ0aGe4uTiVoEqBxM',
  description: "The secret of the same name in the callback's redirect",
});

/** Networks are slow, and listing pages needs several calls. */
const callsNetworkSeconds = 29;

export const startSocialOauth = contract({
  operationId: 'startSocialOauth',
  method: 'POST',
  path: '/social/oauth/{platform}/start',
  summary: 'Start connecting accounts of a network by OAuth',
  description:
    'Send the person to `authorizationUrl`. The network returns them to the callback, which redirects to `{APP_URL}/social/connect?session={sessionId}&finish={secret}`. The session expires after 15 minutes.',
  access: peopleOnly(administers),
  params: platformInPath,
  body: z.object({
    accountId: id('0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70').nullish().meta({
      example: null,
      description: 'Reconnects this account: it keeps its id, posts, campaigns and conversations',
    }),
    purpose: z.enum(consentPurposes).nullish().meta({
      example: 'publishing',
      description: '`messaging` (TikTok only): the second token, which messages and comments need',
    }),
  }),
  status: 201,
  response: z.object({
    authorizationUrl: z
      .string()
      .meta({ example: 'https://www.facebook.com/v25.0/dialog/oauth?client_id=1234567' }),
    sessionId,
    expiresAt: timestamp(),
  }),
  message: 'Authorization started successfully',
  errors: ['CAPABILITY_UNSUPPORTED', 'PLATFORM_REJECTED', 'SOCIAL_ACCOUNT_NOT_FOUND'],
});

const parameter = (example: string, description?: string) =>
  text({ max: 4_096, example, ...(description ? { description } : {}) }).optional();

export const receiveOauthCallback = contract({
  operationId: 'receiveOauthCallback',
  path: '/social/oauth/{platform}/callback',
  role: 'api',
  summary: 'Receive the result of an authorization',
  description:
    'Called by the browser of the person, without a session. Redirects to `{APP_URL}/social/connect?session={id}&finish={secret}` or to the page of the connect link; with `?error=state` if the state is unknown, expired or used.',
  access: openToAll,
  rateLimit: 'publicPages',
  params: platformInPath,
  query: z.object({
    code: parameter('AQBx-hBsH3'),
    state: parameter('7hXk2QpV0sJt', 'As sent to the network. Works once'),
    error: parameter('access_denied', "The network's reason for denying access"),
  }),
  status: 302,
  envelope: 'raw',
  contentType: 'text/html; charset=utf-8',
  response: z.object({}).meta({ description: 'A redirect.', example: '' }),
  timeoutSeconds: callsNetworkSeconds,
});

export const getOauthSession = contract({
  operationId: 'getOauthSession',
  path: '/social/oauth/sessions/{session_id}',
  summary: 'Get an OAuth session and the accounts that it can connect',
  description:
    '`choices` are shown only with `finish`. Otherwise, the person who started a session could send its authorization to somebody else and see their accounts. Without it, a session that is READY returns 403.',
  access: administers,
  query: z.object({ finish: finish.optional() }),
  response: z.object({
    oauthSession: z.object({
      id: sessionId,
      platform,
      status: z.enum(sessionStatuses).meta({ example: 'READY' }),
      error: orNull(z.string().meta({ example: null, description: 'Why the session failed' })),
      expiresAt: timestamp(),
      choices: z.array(
        z.object({
          platformUserId: z.string().meta({ example: '17841400000000001' }),
          name: z.string().meta({ example: 'Engines on Facebook' }),
          kind: z.enum(choiceKinds).meta({ example: 'PAGE' }),
          avatarUrl: orNull(z.string().meta({ example: 'https://example.com/engines.png' })),
          connected: z.enum(['NONE', 'HERE', 'ELSEWHERE']).meta({
            example: 'NONE',
            description: 'Whether this or another organization has connected the account',
          }),
        }),
      ),
    }),
  }),
  message: 'OAuth session retrieved successfully',
  errors: ['OAUTH_SESSION_NOT_FOUND', 'CONSENT_PROOF_INVALID'],
});

export const connectOauthSession = contract({
  operationId: 'connectOauthSession',
  method: 'POST',
  path: '/social/oauth/sessions/{session_id}/connect',
  role: 'sender',
  summary: 'Connect the chosen accounts of an OAuth session',
  description:
    'Needs the `finish` of the callback. Accounts that cannot be connected are listed in `failures`. If none can be, the response has the status of the first failure, and the session stays READY. After the first success it is DONE, and further requests return 409.',
  access: peopleOnly(administers),
  body: z.object({
    finish: finish.optional(),
    platformUserIds: z
      .array(text({ min: 1, max: 200, example: '17841400000000001' }))
      .min(1)
      .max(maxConnections)
      .meta({ example: ['17841400000000001'] }),
  }),
  status: 201,
  response: z.object({
    socialAccounts: z.array(account),
    failures: z.array(
      z.object({
        platformUserId: z.string().meta({ example: '17841400000000002' }),
        statusCode: z.int().meta({ example: 409 }),
        message: z.string().meta({ example: 'Social account already connected' }),
      }),
    ),
  }),
  message: 'Social accounts connected successfully',
  errors: [
    ...networkRefusals,
    'CONSENT_PROOF_INVALID',
    'OAUTH_SESSION_NOT_FOUND',
    'SOCIAL_ACCOUNT_NOT_FOUND',
    'SOCIAL_ACCOUNT_CONNECTED',
    {
      code: 'WRONG_STATE',
      when: 'The session is not READY, or another request has connected accounts.',
    },
  ],
  timeoutSeconds: callsNetworkSeconds,
});

export const getConnectedPage = contract({
  operationId: 'getConnectedPage',
  path: '/social/connect',
  role: 'static',
  summary: 'View the page at the end of an authorization',
  description: 'For deployments without a front end at APP_URL, which shows its own page.',
  access: openToAll,
  rateLimit: 'publicPages',
  query: z.object({
    error: parameter('state', '`state`: the authorization could not be assigned to a session'),
  }),
  envelope: 'raw',
  contentType: 'text/html; charset=utf-8',
  response: z.object({}).meta({ description: 'An HTML page.', example: '<!doctype html>' }),
});
