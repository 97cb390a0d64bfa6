import { apiKey, newKey } from './api-keys.ts';
import { balance, transaction } from './billing.ts';
import {
  email,
  id,
  maxLength,
  orNull,
  pagination,
  paginationQuery,
  queryBoolean,
  role,
  text,
  timestamp,
  timezone,
} from './common.ts';
import { contract, htmlPage, openToAll, operatorOnly } from './contract.ts';
import { firstName, lastName } from './new-user.ts';
import { organizationName } from './organizations.ts';
import { type LimitName, limitNames } from './quotas.ts';
import * as z from './zod.ts';

const organizationId = id('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b');

const externalId = text({ min: 1, max: 255, example: 'customer-4711' });
const reason = text({ min: 1, max: 500, example: 'The invoice of May is unpaid' });
/** Limits the credits so that sums stay exact. */
const maxCredits = 1_000_000_000;

const limit = z.int().min(0).meta({ example: 10 });

function forLimits<Field extends z.ZodType>(field: Field) {
  return Object.fromEntries(limitNames.map((name) => [name, field])) as Record<LimitName, Field>;
}

const platformOrganization = z
  .object({
    id: organizationId,
    name: organizationName,
    timezone: z.string().default('UTC').meta({ example: 'Europe/Berlin' }),
    externalId: orNull(externalId),
    memberCount: z.int().min(0).meta({ example: 1 }),
    suspendedAt: orNull(timestamp()),
    suspensionReason: orNull(reason),
    limits: z.object(forLimits(limit)),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'PlatformOrganization' });

const common = { access: operatorOnly } as const;
const one = {
  ...common,
  path: '/platform/organizations/{organization_id}',
} as const;

export const createPlatformOrganization = contract({
  ...common,
  operationId: 'createPlatformOrganization',
  method: 'POST',
  path: '/platform/organizations',
  summary: 'Create an organization for a customer',
  description:
    'It has no members and no billing, and an API key that is shown once. `externalId` is your unique id for it.',
  body: z.object({
    name: organizationName,
    timezone,
    externalId: externalId.nullish(),
    credits: z.int().min(0).max(maxCredits).meta({ example: 500 }).nullish(),
  }),
  status: 201,
  response: z.object({
    organization: platformOrganization,
    apiKey: apiKey.extend({ key: newKey }).meta({ id: 'NewApiKey' }),
  }),
  message: 'Organization created successfully',
  errors: ['EXTERNAL_ID_TAKEN'],
});

export const listPlatformOrganizations = contract({
  ...common,
  operationId: 'listPlatformOrganizations',
  path: '/platform/organizations',
  summary: 'List all organizations',
  description: 'Newest first, including those that were created by a signup.',
  query: z.object({
    externalId: externalId.optional(),
    suspended: queryBoolean.optional(),
    ...paginationQuery,
  }),
  response: z.object({ organizations: z.array(platformOrganization), pagination }),
  message: 'Organizations retrieved successfully',
});

export const getPlatformOrganization = contract({
  ...one,
  operationId: 'getPlatformOrganization',
  summary: 'Get any organization',
  response: z.object({ organization: platformOrganization }),
  message: 'Organization retrieved successfully',
  errors: ['ORGANIZATION_NOT_FOUND'],
});

export const updatePlatformOrganization = contract({
  ...one,
  operationId: 'updatePlatformOrganization',
  method: 'PATCH',
  role: 'sender',
  summary: 'Change or suspend an organization',
  description:
    "While an organization is suspended, its members and API keys get a 403, its agents do not answer, and its posts and webhooks wait. This takes effect within a minute. `limits` cannot exceed the service's limits; null restores those.",
  body: z.object({
    name: organizationName.optional(),
    externalId: externalId.nullish(),
    suspended: z.boolean().meta({ example: false }).optional(),
    reason: reason.optional(),
    limits: z.object(forLimits(limit.nullish())).optional(),
  }),
  response: z.object({ organization: platformOrganization }),
  message: 'Organization updated successfully',
  errors: ['ORGANIZATION_NOT_FOUND', 'EXTERNAL_ID_TAKEN'],
});

export const deletePlatformOrganization = contract({
  ...one,
  operationId: 'deletePlatformOrganization',
  method: 'DELETE',
  role: 'sender',
  summary: 'Delete an organization and all its data',
  description: 'Access ends immediately. The data is deleted in the background.',
  message: 'Organization deleted successfully',
  errors: ['ORGANIZATION_NOT_FOUND'],
});

export const adjustPlatformCredits = contract({
  ...one,
  operationId: 'adjustPlatformCredits',
  method: 'POST',
  path: '/platform/organizations/{organization_id}/credits',
  summary: "Add or remove an organization's credits",
  body: z.object({
    credits: z
      .int()
      .min(-maxCredits)
      .max(maxCredits)
      .refine((value) => value !== 0, { error: 'must not be 0' })
      .meta({ example: 500 }),
    reason,
  }),
  strict: true,
  status: 201,
  response: z.object({ transaction, balance }),
  message: 'Credits adjusted successfully',
  errors: ['ORGANIZATION_NOT_FOUND', 'CREDITS_INSUFFICIENT'],
});

/** Relative to the web app's URL, so that a link cannot lead to another site. */
const path = text({ max: maxLength.url, example: '/inbox' }).refine(
  (value) => /^\/(?!\/)[^\\]*$/.test(value),
  { error: 'must begin with one / and contain no \\' },
);

export const createPlatformSignInLink = contract({
  ...one,
  operationId: 'createPlatformSignInLink',
  method: 'POST',
  path: '/platform/organizations/{organization_id}/sign-in-links',
  summary: 'Create a link that signs a person in',
  description:
    'It works once, for five minutes. A new person joins with `role`; a member keeps the current role. People with a password or Google sign in themselves (409). `path` is a page of the web app.',
  body: z.object({ email, firstName, lastName, role, path: path.nullish() }),
  status: 201,
  response: z.object({
    url: z
      .string()
      .meta({ example: 'https://example.com/sign-in/Jq3xTm0vW8yB2dF6hK9nP4rS7uX1zA5cE' }),
    expiresAt: timestamp(),
  }),
  message: 'Sign-in link created successfully',
  errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_SUSPENDED', 'ACCOUNT_EXISTS'],
});

const link = {
  area: 'platform',
  access: openToAll,
  path: '/sign-in/{token}',
  rateLimit: 'publicPages',
  params: z.object({
    token: text({ min: 1, max: 200, example: 'Jq3xTm0vW8yB2dF6hK9nP4rS7uX1zA5cE' }),
  }),
  envelope: 'raw',
  contentType: 'text/html; charset=utf-8',
} as const;

const noLink = htmlPage(404, 'The link is unknown, used or expired.');

export const openSignInLink = contract({
  ...link,
  operationId: 'openSignInLink',
  summary: 'View the page of a sign-in link',
  description: 'The person signs in with a button, so previews do not use up the link.',
  response: z.object({}).meta({ description: 'An HTML page.', example: '<!doctype html>' }),
  otherResponses: [noLink],
});

export const submitSignInLink = contract({
  ...link,
  operationId: 'submitSignInLink',
  method: 'POST',
  role: 'sender',
  idempotent: false,
  summary: 'Sign in with a sign-in link',
  description: 'Sets the auth cookie, and redirects to the web app.',
  status: 302,
  response: z.object({}).meta({ description: 'A redirect.', example: '' }),
  otherResponses: [
    htmlPage(403, 'The organization is suspended.'),
    noLink,
    htmlPage(409, 'The person signs in with a password or Google, or the organization is full.'),
  ],
});
