export type Quota = {
  readonly limit: number;
  /** Environment variable that overrides `limit`. */
  readonly variable: `QUOTA_${string}`;
  /** The start of the error message: who has the quota. */
  readonly holder: string;
  /** The rest of the message: what is counted. */
  readonly counted: string;
};

const organization = 'An organization can have at most';

/** How many records of a kind may exist. To add one, see `planQuotaUse`. */
export const quotas = {
  pipelines: {
    limit: 50,
    variable: 'QUOTA_PIPELINES',
    holder: organization,
    counted: 'pipelines',
  },
  stages: {
    limit: 50,
    variable: 'QUOTA_STAGES',
    holder: 'A pipeline can have at most',
    counted: 'stages',
  },
  agents: { limit: 200, variable: 'QUOTA_AGENTS', holder: organization, counted: 'agents' },
  /** Of each kind. */
  templates: {
    limit: 500,
    variable: 'QUOTA_TEMPLATES',
    holder: organization,
    counted: 'templates of a kind',
  },
  campaigns: {
    limit: 500,
    variable: 'QUOTA_CAMPAIGNS',
    holder: organization,
    counted: 'campaigns',
  },
  /** They come in one response, and are matched against every comment. */
  moderationRules: {
    limit: 100,
    variable: 'QUOTA_MODERATION_RULES',
    holder: organization,
    counted: 'moderation rules',
  },
  customFields: {
    limit: 50,
    variable: 'QUOTA_CUSTOM_FIELDS',
    holder: organization,
    counted: 'custom fields',
  },
  /** They come in one response, with their counts. */
  segments: {
    limit: 200,
    variable: 'QUOTA_SEGMENTS',
    holder: organization,
    counted: 'segments',
  },
  /** They come in one response. */
  forms: { limit: 100, variable: 'QUOTA_FORMS', holder: organization, counted: 'forms' },
  savedReplies: {
    limit: 500,
    variable: 'QUOTA_SAVED_REPLIES',
    holder: organization,
    counted: 'saved replies',
  },
  /** They come in one response, and a search may read all of them. */
  knowledgeSources: {
    limit: 200,
    variable: 'QUOTA_KNOWLEDGE_SOURCES',
    holder: organization,
    counted: 'knowledge sources',
  },
  /** They come in one response. */
  notes: {
    limit: 200,
    variable: 'QUOTA_NOTES',
    holder: 'A conversation can have at most',
    counted: 'notes',
  },
  bioLinks: {
    limit: 2_000,
    variable: 'QUOTA_BIO_LINKS',
    holder: organization,
    counted: 'bio links',
  },
  webhooks: { limit: 10, variable: 'QUOTA_WEBHOOKS', holder: organization, counted: 'webhooks' },
  members: { limit: 500, variable: 'QUOTA_MEMBERS', holder: organization, counted: 'members' },
  /** Expired keys count until they are deleted. */
  apiKeys: { limit: 20, variable: 'QUOTA_API_KEYS', holder: organization, counted: 'API keys' },
  /** Used and expired links count until they are deleted. */
  connectLinks: {
    limit: 200,
    variable: 'QUOTA_CONNECT_LINKS',
    holder: organization,
    counted: 'connect links',
  },
  /** Created by one user, and not deleted since. */
  organizations: {
    limit: 50,
    variable: 'QUOTA_ORGANIZATIONS_PER_USER',
    holder: 'A user can create at most',
    counted: 'organizations',
  },
  /** Running at the same time. */
  imports: {
    limit: 2,
    variable: 'QUOTA_IMPORTS',
    holder: organization,
    counted: 'running imports',
  },
  /** Open, or about to be: a ticket counts until it is used or expires. */
  liveConnections: {
    limit: 1_000,
    variable: 'QUOTA_LIVE_CONNECTIONS',
    holder: organization,
    counted: 'live connections',
  },
  liveConnectionsPerCaller: {
    limit: 100,
    variable: 'QUOTA_LIVE_CONNECTIONS_PER_CALLER',
    holder: 'A user or API key can have at most',
    counted: 'live connections',
  },
} as const satisfies Record<string, Quota>;

export type QuotaName = keyof typeof quotas;

/** What the operator can limit further for one organization. */
export const limitNames = [
  'members',
  'apiKeys',
  'agents',
  'campaigns',
  'pipelines',
  'bioLinks',
] as const satisfies readonly QuotaName[];

export type LimitName = (typeof limitNames)[number];

export function quotaMessage(name: QuotaName, limit: number): string {
  const { holder, counted } = quotas[name];

  return `${holder} ${limit} ${counted}`;
}
