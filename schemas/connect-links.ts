import { email, id, optional, orNull, text, timestamp, total } from './common.ts';
import { contract, htmlPage, memberOfCurrent, openToAll, peopleOnly } from './contract.ts';
import { platform } from './platforms.ts';
import * as z from './zod.ts';

const administers = memberOfCurrent('ADMIN');
const linkId = id('0192f0c3-2b41-7c3e-9d2f-3a5b8c1d4e6f');

const connectLink = z
  .object({
    id: linkId,
    platform,
    url: orNull(
      z.string().meta({
        example: 'https://api.example.com/connect/Jq3xTm0vW8yB2dF6hK9nP4rS7uX1zA5cE-gI_lO3qTw',
        description: 'Returned once, on creation. Only its hash is stored',
      }),
    ),
    expiresAt: timestamp(),
    usedAt: orNull(timestamp().meta({ example: null })),
    createdAt: timestamp(),
  })
  .meta({ id: 'ConnectLink' });

export const createConnectLink = contract({
  operationId: 'createConnectLink',
  method: 'POST',
  path: '/social/connect-links',
  role: 'sender',
  summary: 'Create a link for connecting accounts',
  description:
    'Anybody who opens the link can connect their accounts to this organization, without a user of this service. It works once. With `email`, it is also sent to that address.',
  access: peopleOnly(administers),
  countedInHandler: ['invitationAddress', 'invitationUnverified'],
  body: z.object({
    platform,
    expiresInHours: optional(
      z.int().min(1).max(168).meta({ example: 72, description: 'Default: 72' }),
    ),
    email: optional(email),
  }),
  status: 201,
  response: z.object({ connectLink }),
  message: 'Connect link created successfully',
  errors: ['QUOTA_EXCEEDED'],
});

export const listConnectLinks = contract({
  operationId: 'listConnectLinks',
  path: '/social/connect-links',
  summary: 'List connect links, newest first',
  description: 'Includes used and expired links until they are deleted.',
  access: administers,
  response: z.object({
    connectLinks: z.array(connectLink),
    total,
  }),
  message: 'Connect links retrieved successfully',
});

export const deleteConnectLink = contract({
  operationId: 'deleteConnectLink',
  method: 'DELETE',
  path: '/social/connect-links/{link_id}',
  summary: 'Delete a connect link',
  description: 'The link stops working. Accounts that were connected by it stay connected.',
  access: peopleOnly(administers),
  params: z.object({ link_id: linkId }),
  message: 'Connect link deleted successfully',
  errors: ['CONNECT_LINK_NOT_FOUND'],
});

const tokenInPath = z.object({
  token: text({ min: 1, max: 8_192, example: 'Jq3xTm0vW8yB2dF6hK9nP4rS7uX1zA5cE-gI_lO3qTw' }),
});

const endPages = [
  htmlPage(404, 'The link is unknown.'),
  htmlPage(410, 'The link was deleted or used, has expired, or was started too often.'),
];

export const openConnectLink = contract({
  operationId: 'openConnectLink',
  area: 'social',
  path: '/connect/{token}',
  role: 'api',
  summary: 'View the page of a connect link',
  description:
    'Shows who asks for access. With `start`, redirects to the network. With `session`, shows the accounts to choose from, or the result. Unknown links return a 404 page; deleted, used and expired ones a 410 page.',
  access: openToAll,
  rateLimit: 'publicPages',
  params: tokenInPath,
  query: z.object({
    start: text({ max: 100, example: '1' }).optional(),
    session: text({ max: 100, example: '0192f0c3-2b40-7a11-8c44-5d6e7f809a1b' }).optional(),
    problem: text({ max: 100, example: 'none' }).optional(),
  }),
  envelope: 'raw',
  contentType: 'text/html; charset=utf-8',
  response: z.object({}).meta({ description: 'An HTML page.', example: '<!doctype html>' }),
  otherResponses: [
    {
      status: 302,
      when: 'A redirect to the network, with `start`.',
      contentType: 'text/html; charset=utf-8',
    },
    ...endPages,
  ],
});

export const submitConnectLink = contract({
  operationId: 'submitConnectLink',
  area: 'social',
  method: 'POST',
  path: '/connect/{token}',
  role: 'sender',
  summary: 'Connect the accounts chosen on the page of a connect link',
  description:
    "Receives the page's form, `session` and any number of `account`, as `application/x-www-form-urlencoded`. Redirects to the page, which shows the result.",
  access: openToAll,
  rateLimit: 'publicPages',
  idempotent: false,
  params: tokenInPath,
  status: 302,
  envelope: 'raw',
  contentType: 'text/html; charset=utf-8',
  response: z.object({}).meta({ description: 'A redirect.', example: '' }),
  errors: ['BODY_TOO_LARGE'],
  otherResponses: endPages,
});
