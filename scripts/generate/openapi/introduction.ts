import type { Area } from '#schemas/contract.ts';

export const summary = 'Social engagement and lead automation for many organizations.';

/** Describes what applies to every operation. */
export const introduction = `A user signs up together with an organization, may belong to several with a role in each (OWNER, ADMIN, MEMBER, VIEWER), and works inside one at a time.

**Signing in.** \`POST /auth/signup\` and \`POST /auth/login\` return \`authToken\`, valid for 7 days, and set it as a cookie. Send it as \`Authorization: Bearer <token>\`; in a browser the cookie does by itself. What is changed with the cookie alone must come from a page of an allowed origin.

**Answers.** JSON; most carry \`success: true\` and a \`message\`. Times are ISO 8601 in UTC. A field without a value is present as \`null\`. Fields may be added: ignore what you do not know.

**Refusals.** \`{ success: false, statusCode, message, error }\`. Where fields are wrong, \`message\` is a list with one text for each of them, beginning with the field's path. What belongs to another organization is answered as what does not exist.

**Lists.** \`page\` and \`limit\`, or \`cursor\` with the \`nextCursor\` of the page before, which costs the same however deep it is.

**Sending again.** A POST with an \`Idempotency-Key\` may be sent again for 24 hours: it is done once, and answered the same (\`Idempotent-Replayed: true\`).

**Limits.** Where requests are counted, \`RateLimit-Policy\` and \`RateLimit\` say how it stands, and a 429 says in \`Retry-After\` when to come back. A body has at most 1 MiB.

**Events.** What happens to campaigns and accounts is sent to their \`webhookUrl\`, signed after Standard Webhooks; see the webhooks of this document. A delivery that is not taken is tried eight times in 31 hours; then it can be seen and sent again.

**Finding a request again.** Every answer has an \`X-Request-Id\`, which the log has too.`;

export const areaDescriptions: Readonly<Record<Area, string>> = {
  auth: 'Accounts, sessions and consents.',
  organizations: 'Organizations, their members and invitations.',
  billing: 'Payment methods, subscription, credits, usage and invoices.',
  health: 'Health, status and figures of the service.',
  leads: 'Leads, their contacts, pipelines and analytics.',
  campaigns: 'Campaigns, their keywords and agents.',
  content: 'Posts and what came of them.',
  bio: 'Links for profiles, with short addresses.',
  social: 'Connected accounts of social networks.',
  ai: 'Agents and prompt templates.',
  debug: 'What an agent did in a conversation, and why.',
  docs: 'This document, and a page that renders it.',
};

export const extensionDescription = 'Beyond the interface that every client may rely on.';
