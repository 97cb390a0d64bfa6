import type { Area } from '#schemas/contract.ts';
import { rateLimits } from '#schemas/rate-limits.ts';

export const summary = 'Multi-tenant API for social engagement and lead automation.';

/** Describes what applies to every operation. */
export const introduction = `Users sign up with an organization. A user can belong to several organizations, with a role in each (OWNER, ADMIN, MEMBER or VIEWER), and works in one at a time.

**Authentication.** \`POST /auth/signup\`, \`POST /auth/login\` and \`POST /organizations/invitations/accept\` (for invited people without an account) return an \`authToken\` that is valid for 7 days, and also set it as a cookie. Send it as \`Authorization: Bearer <token>\`, or let the browser send the cookie. Write requests that use only the cookie must come from an allowed origin. Programs use an API key in the same header (\`POST /organizations/{organization_id}/api-keys\`): it acts in its organization alone, with the lower of its role and its creator's.

**Responses.** Responses are JSON. Most have \`success: true\` and a \`message\`. Times are ISO 8601 in UTC. Fields without a value are \`null\`. We may add fields: ignore those that you don't know.

**Errors.** Errors have the form \`{ success: false, statusCode, code, message, error, requestId }\`. Use \`code\` to decide: [Errors](/docs/errors.md) explains each one. For invalid input, \`message\` is a list with one text per field, and \`issues\` has the place, path and rule of each. Unknown fields are ignored and reported in \`warnings\`; with \`Prefer: handling=strict\` they are a 400. Resources of other organizations return 404, as if they did not exist.

**Pagination.** Use \`page\` and \`limit\`, or pass the \`nextCursor\` of the previous page as \`cursor\`. Cursors are equally fast at any depth.

**Idempotency.** You can safely retry a POST with an \`Idempotency-Key\` for 24 hours. It is processed once, and retries return the original response with \`Idempotent-Replayed: true\`.

**Limits.** A user can send ${rateLimits.requests.limit} requests per minute, and all members of an organization together ${rateLimits.organizationRequests.limit}. Some operations have additional limits. Responses return the state of the limits in \`RateLimit-Policy\` and \`RateLimit\`. A 429 returns the seconds to wait in \`Retry-After\`. Request bodies can be up to 1 MiB.

**Webhooks.** Events are sent to the webhooks of the organization and to the \`webhookUrl\` of campaigns and social accounts, signed according to Standard Webhooks. See the webhooks section of this document. Delivery is at least once: every attempt has the same \`webhook-id\`. Respond with a 2xx status within ten seconds, or with a 410 to receive no more events. We attempt each delivery up to eight times over 31 hours. After that, you can list and replay it.

**Versions.** Every response has the version of the API in \`X-Api-Version\`. We may add operations, optional fields of requests, fields of responses, values of enums and event types. We remove or change nothing else before it was deprecated for at least twelve months: it is marked here, and its responses have \`Deprecation\` and \`Sunset\`.

**Request IDs.** Every response has an \`X-Request-Id\`, which also appears in our logs.`;

export const areaDescriptions: Readonly<Record<Area, string>> = {
  auth: 'User accounts, sessions and consents.',
  organizations: 'Organizations, members, invitations, API keys and webhooks.',
  billing: 'Payment methods, subscriptions, credits, usage and invoices.',
  health: 'Health, status and metrics of the service.',
  leads: 'Leads, contacts, pipelines, forms and analytics.',
  campaigns: 'Campaigns, keywords and agents.',
  content: 'Posts, publishing and analytics.',
  media: 'The media library: uploaded images and videos.',
  bio: 'Bio links with short URLs.',
  social: 'Connected social network accounts.',
  ai: 'AI agents, prompt templates, knowledge and conversations with customers.',
  debug: 'Tools to inspect why an agent replied as it did.',
  platform: 'Organizations of customers, for the company that runs the service.',
  mcp: 'Tools for AI agents, with the Model Context Protocol.',
  docs: 'This OpenAPI document and its documentation page.',
  app: 'The web app, which is served by the service.',
};

export const extensionDescription = 'Operations that are not part of the core API specification.';
