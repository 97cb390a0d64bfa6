export type Quota = {
  readonly limit: number;
  /** Environment variable that overrides `limit`. */
  readonly variable: `QUOTA_${string}`;
  /** The start of the error message, which says who has the quota. Default: an organization. */
  readonly holder?: string;
  /** The rest of the message, which says what is counted. */
  readonly counted: string;
};

/** The maximum number of records of each kind. To add one, see `planQuotaUse`. */
export const quotas = {
  pipelines: { limit: 50, variable: 'QUOTA_PIPELINES', counted: 'pipelines' },
  stages: {
    limit: 50,
    variable: 'QUOTA_STAGES',
    holder: 'A pipeline can have at most',
    counted: 'stages',
  },
  agents: { limit: 200, variable: 'QUOTA_AGENTS', counted: 'agents' },
  /** Of each kind. */
  templates: { limit: 500, variable: 'QUOTA_TEMPLATES', counted: 'templates of a kind' },
  campaigns: { limit: 500, variable: 'QUOTA_CAMPAIGNS', counted: 'campaigns' },
  /** One response contains all of them, and they are compared with every comment. */
  moderationRules: { limit: 100, variable: 'QUOTA_MODERATION_RULES', counted: 'moderation rules' },
  customFields: { limit: 50, variable: 'QUOTA_CUSTOM_FIELDS', counted: 'custom fields' },
  /** One response contains all of them, with their counts. */
  segments: { limit: 200, variable: 'QUOTA_SEGMENTS', counted: 'segments' },
  /** One response contains all of them. */
  forms: { limit: 100, variable: 'QUOTA_FORMS', counted: 'forms' },
  savedReplies: { limit: 500, variable: 'QUOTA_SAVED_REPLIES', counted: 'saved replies' },
  /** One response contains all of them, and a search may read all of them. */
  knowledgeSources: {
    limit: 200,
    variable: 'QUOTA_KNOWLEDGE_SOURCES',
    counted: 'knowledge sources',
  },
  /** One response contains all of them. */
  notes: {
    limit: 200,
    variable: 'QUOTA_NOTES',
    holder: 'A conversation can have at most',
    counted: 'notes',
  },
  bioLinks: { limit: 2_000, variable: 'QUOTA_BIO_LINKS', counted: 'bio links' },
  webhooks: { limit: 10, variable: 'QUOTA_WEBHOOKS', counted: 'webhooks' },
  members: { limit: 500, variable: 'QUOTA_MEMBERS', counted: 'members' },
  /** Expired keys count until they are deleted. */
  apiKeys: { limit: 20, variable: 'QUOTA_API_KEYS', counted: 'API keys' },
  /** Used and expired links count until they are deleted. */
  connectLinks: { limit: 200, variable: 'QUOTA_CONNECT_LINKS', counted: 'connect links' },
  /** Organizations that one user created and that still exist. */
  organizations: {
    limit: 50,
    variable: 'QUOTA_ORGANIZATIONS_PER_USER',
    holder: 'A user can create at most',
    counted: 'organizations',
  },
  /** Imports that run at the same time. */
  imports: { limit: 2, variable: 'QUOTA_IMPORTS', counted: 'running imports' },
  /** Open connections, plus unused tickets. */
  liveConnections: {
    limit: 1_000,
    variable: 'QUOTA_LIVE_CONNECTIONS',
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

/** The limits that the operator can lower for one organization. */
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
  const { holder = 'An organization can have at most', counted }: Quota = quotas[name];

  return `${holder} ${limit} ${counted}`;
}
