/** The primary key of an item. Key strings are built only in this file. */
export type Key = { readonly pk: string; readonly sk: string };

/** A tenant's partition. Tenant keys cannot be built without the organization's id. */
const tenant = (organizationId: string) => `ORG#${organizationId}`;
const person = (userId: string) => `USER#${userId}`;

export const keys = {
  user: (userId: string): Key => ({ pk: person(userId), sk: 'PROFILE' }),
  emailClaim: (email: string): Key => ({ pk: `EMAIL#${email}`, sk: 'CLAIM' }),
  session: (userId: string, sessionId: string): Key => ({
    pk: person(userId),
    sk: `SESSION#${sessionId}`,
  }),
  consent: (userId: string, consentId: string): Key => ({
    pk: person(userId),
    sk: `CONSENT#${consentId}`,
  }),
  /** The user's side of a membership, read to list a user's organizations. */
  userMembership: (userId: string, organizationId: string): Key => ({
    pk: person(userId),
    sk: `MEMBERSHIP#${organizationId}`,
  }),
  userToken: (tokenHash: string): Key => ({ pk: `USER_TOKEN#${tokenHash}`, sk: 'CLAIM' }),

  organization: (organizationId: string): Key => ({ pk: tenant(organizationId), sk: 'ORG' }),
  billing: (organizationId: string): Key => ({ pk: tenant(organizationId), sk: 'BILLING' }),
  /** The organization's current or pending subscription. */
  subscription: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'SUBSCRIPTION',
  }),
  /** A lock held while billing is being set up. */
  billingSetup: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'BILLING_SETUP',
  }),
  /** The organization's credits and refill settings. */
  balance: (organizationId: string): Key => ({ pk: tenant(organizationId), sk: 'BALANCE' }),
  /** Credits reserved for a reply until it is sent or canceled. */
  creditReservation: (organizationId: string, replyId: string): Key => ({
    pk: tenant(organizationId),
    sk: `RESERVATION#${replyId}`,
  }),
  /** The sums of one day's ledger entries. */
  usageDay: (organizationId: string, date: string): Key => ({
    pk: tenant(organizationId),
    sk: `USAGE#${date}`,
  }),
  /** In a separate partition, because ledger entries outlive the organization. */
  ledgerEntry: (organizationId: string, type: string, entryId: string): Key => ({
    pk: ledger(organizationId),
    sk: `${type}#${entryId}`,
  }),
  /** A requested payment. It outlives the organization until it is resolved. */
  payment: (organizationId: string, paymentId: string): Key => ({
    pk: `${tenant(organizationId)}#PAYMENT#${paymentId}`,
    sk: 'PAYMENT',
  }),
  /** Deduplicates the payment provider's events. */
  paymentEvent: (eventId: string): Key => ({ pk: `PAYMENT_EVENT#${eventId}`, sk: 'CLAIM' }),
  customerClaim: (customerId: string): Key => ({ pk: `CUSTOMER#${customerId}`, sk: 'CLAIM' }),
  /** The organization's side of a membership, read by every member request. */
  member: (organizationId: string, userId: string): Key => ({
    pk: tenant(organizationId),
    sk: `MEMBER#${userId}`,
  }),
  invitation: (organizationId: string, invitationId: string): Key => ({
    pk: tenant(organizationId),
    sk: `INVITATION#${invitationId}`,
  }),
  pendingInvitation: (organizationId: string, email: string): Key => ({
    pk: tenant(organizationId),
    sk: `UNIQUE#INVITATION#${email}`,
  }),
  invitationToken: (tokenHash: string): Key => ({
    pk: `INVITATION_TOKEN#${tokenHash}`,
    sk: 'CLAIM',
  }),
  auditEntry: (organizationId: string, entryId: string): Key => ({
    pk: tenant(organizationId),
    sk: `AUDIT#${entryId}`,
  }),
  counter: (organizationId: string, counter: string): Key => ({
    pk: tenant(organizationId),
    sk: `COUNT#${counter}`,
  }),

  pipeline: (organizationId: string, pipelineId: string): Key => ({
    pk: tenant(organizationId),
    sk: `PIPELINE#${pipelineId}`,
  }),
  agent: (organizationId: string, agentId: string): Key => ({
    pk: tenant(organizationId),
    sk: `AGENT#${agentId}`,
  }),
  promptTemplate: (organizationId: string, templateId: string): Key => ({
    pk: tenant(organizationId),
    sk: `TEMPLATE#${templateId}`,
  }),
  interactiveTemplate: (organizationId: string, templateId: string): Key => ({
    pk: tenant(organizationId),
    sk: `INTERACTIVE_TEMPLATE#${templateId}`,
  }),
  /** Makes a name unique per kind within the organization. */
  nameClaim: (organizationId: string, kind: string, name: string): Key => ({
    pk: tenant(organizationId),
    sk: `UNIQUE#${kind}#${name}`,
  }),
  /** Metrics of an agent or template, updated with every reply. */
  aiFigures: (organizationId: string, of: string, id: string): Key => ({
    pk: aiFigures(organizationId),
    sk: `${of}#${id}`,
  }),
  campaign: (organizationId: string, campaignId: string): Key => ({
    pk: tenant(organizationId),
    sk: `CAMPAIGN#${campaignId}`,
  }),
  /**
   * A keyword belongs to one campaign. This is its claim, and the item that lists and matching
   * read.
   */
  campaignKeyword: (organizationId: string, normalizedText: string): Key => ({
    pk: tenant(organizationId),
    sk: `${keywordPrefix}#${normalizedText}`,
  }),
  /** The same for a text that is too long for a key. */
  longCampaignKeyword: (organizationId: string, textHash: string): Key => ({
    pk: tenant(organizationId),
    sk: `${keywordPrefix}_HASH#${textHash}`,
  }),
  /** The version of the organization's set of campaign keywords. */
  keywordSet: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'CAMPAIGN_KEYWORDS',
  }),
  socialAccount: (organizationId: string, accountId: string): Key => ({
    pk: tenant(organizationId),
    sk: `SOCIAL_ACCOUNT#${accountId}`,
  }),
  /** Makes a network account unique in the whole service, and maps its events to the tenant. */
  socialAccountClaim: (platform: string, platformUserId: string): Key => ({
    pk: `SOCIAL#${platform}#${platformUserId}`,
    sk: 'CLAIM',
  }),
  /** The former id of a network account in this organization, from before it was disconnected. */
  formerSocialAccount: (organizationId: string, platform: string, platformUserId: string): Key => ({
    pk: tenant(organizationId),
    sk: `FORMER_ACCOUNT#${platform}#${platformUserId}`,
  }),
  /** Metrics of an account on one day, `YYYY-MM-DD`. */
  accountStats: (organizationId: string, accountId: string, date: string): Key => ({
    pk: tenant(organizationId),
    sk: `ACCOUNT_STATS#${accountId}#${date}`,
  }),
  /** When the metrics of an account and its posts are fetched next. */
  snapshotSchedule: (organizationId: string, accountId: string): Key => ({
    pk: tenant(organizationId),
    sk: `SNAPSHOT_SCHEDULE#${accountId}`,
  }),
  /** In its own partition, because publishing writes a post several times. */
  contentPost: (organizationId: string, postId: string): Key => ({
    pk: `${tenant(organizationId)}#POST#${postId}`,
    sk: 'POST',
  }),
  /** The row of a post by date, for date ranges and combined filters. */
  postDate: (organizationId: string, date: string, postId: string): Key => ({
    pk: `${tenant(organizationId)}#POST_DATES`,
    sk: `${date}#${postId}`,
  }),
  /** A post in the list for one value of a facet. */
  postEntry: (organizationId: string, facet: PostFacet, value: string, postId: string): Key => ({
    pk: `${tenant(organizationId)}#POST_LISTS`,
    sk: `${facet}#${value}#${postId}`,
  }),
  postCounter: (
    organizationId: string,
    facet: PostFacet | 'all',
    value: string,
    shard: number,
  ): Key => ({
    pk: `${tenant(organizationId)}#POST_COUNTS`,
    sk: `${facet}#${value}#${counterShard(shard)}`,
  }),
  /** Metrics of a published post at the end of a day, or so far today. */
  postMetrics: (organizationId: string, postId: string, date: string): Key => ({
    pk: `${tenant(organizationId)}#POST_METRICS`,
    sk: `${postId}#${date}`,
  }),
  /** Maps a network's post id to our post. */
  publishedPost: (organizationId: string, accountId: string, platformPostId: string): Key => ({
    pk: `${tenant(organizationId)}#PUBLISHED`,
    sk: `${accountId}#${platformPostId}`,
  }),
  /** Makes a post's keyword unique within the organization. */
  postKeyword: (organizationId: string, keywordHash: string): Key => ({
    pk: tenant(organizationId),
    sk: `UNIQUE#POST_KEYWORD#${keywordHash}`,
  }),
  calendarFeed: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'CALENDAR_FEED',
  }),
  /** Where the events of a source (an account or a campaign) are forwarded to. */
  webhookEndpoint: (organizationId: string, sourceId: string): Key => ({
    pk: tenant(organizationId),
    sk: `WEBHOOK#${sourceId}`,
  }),
  /** Stored with the account's endpoint, because the network's request has only the account id. */
  socialWebhookClaim: (accountId: string): Key => ({ pk: `WEBHOOK#${accountId}`, sk: 'CLAIM' }),
  /** Up to when an account's comments were fetched, and when they are fetched next. */
  commentsPoll: (organizationId: string, accountId: string): Key => ({
    pk: tenant(organizationId),
    sk: `COMMENTS_POLL#${accountId}`,
  }),
  /** Comment calls made on a day, if the network limits them for the whole service. */
  commentCalls: (platform: string, day: string): Key => ({
    pk: `COMMENT_CALLS#${platform}`,
    sk: `DAY#${day}`,
  }),
  /** In its own partition, together with its messages. */
  conversation: (organizationId: string, conversationId: string): Key => ({
    pk: conversation(organizationId, conversationId),
    sk: 'CONVERSATION',
  }),
  conversationMessage: (
    organizationId: string,
    conversationId: string,
    messageId: string,
  ): Key => ({
    pk: conversation(organizationId, conversationId),
    sk: `MESSAGE#${messageId}`,
  }),
  /** The decisions about a customer's message. */
  replyTrace: (organizationId: string, conversationId: string, messageId: string): Key => ({
    pk: conversation(organizationId, conversationId),
    sk: `TRACE#${messageId}`,
  }),
  /** Limits a comment to one private reply. */
  privateReplyClaim: (organizationId: string, conversationId: string, messageId: string): Key => ({
    pk: conversation(organizationId, conversationId),
    sk: `PRIVATE_REPLY#${messageId}`,
  }),
  /** Limits a customer to one conversation per account and channel. */
  conversationClaim: (
    organizationId: string,
    accountId: string,
    channel: string,
    customerId: string,
  ): Key => ({
    pk: `${tenant(organizationId)}#CUSTOMER#${accountId}#${channel}#${customerId}`,
    sk: 'CLAIM',
  }),
  /** Maps a network's message id to our message, and deduplicates messages. */
  networkMessage: (organizationId: string, accountId: string, networkMessageId: string): Key => ({
    pk: `${tenant(organizationId)}#NETWORK_MESSAGE#${accountId}#${networkMessageId}`,
    sk: 'CLAIM',
  }),
  /** Conversation counters: of `all`, of an account, or of a campaign. */
  conversationCounter: (organizationId: string, counted: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#CONVERSATION_COUNTS`,
    sk: `${counted}#${counterShard(shard)}`,
  }),
  /** A customer's message in the organization's list of recent texts. */
  inboundText: (organizationId: string, shard: number, messageId: string): Key => ({
    pk: `${tenant(organizationId)}#INBOUND_TEXTS#${shard}`,
    sk: messageId,
  }),
  /** Deduplicates a network's events. */
  inboundEvent: (
    organizationId: string,
    shard: number,
    platform: string,
    eventId: string,
  ): Key => ({
    pk: `${tenant(organizationId)}#EVENTS#${shard}`,
    sk: `EVENT#${platform}#${eventId}`,
  }),
  /** In its own partition, together with its activities, because leads are written most often. */
  lead: (organizationId: string, leadId: string): Key => ({
    pk: `${tenant(organizationId)}#LEAD#${leadId}`,
    sk: 'LEAD',
  }),
  leadActivity: (organizationId: string, leadId: string, activityId: string): Key => ({
    pk: `${tenant(organizationId)}#LEAD#${leadId}`,
    sk: `ACTIVITY#${activityId}`,
  }),
  contact: (organizationId: string, contactId: string): Key => ({
    pk: `${tenant(organizationId)}#CONTACT#${contactId}`,
    sk: 'CONTACT',
  }),
  /** Limits a contact to one lead per pipeline. */
  leadClaim: (organizationId: string, contactId: string, pipelineId: string): Key => ({
    pk: `${tenant(organizationId)}#CONTACT#${contactId}`,
    sk: `LEAD_IN#${pipelineId}`,
  }),
  contactEmail: (organizationId: string, email: string): Key => ({
    pk: `${tenant(organizationId)}#CONTACT_EMAIL#${email}`,
    sk: 'CLAIM',
  }),
  contactWord: (organizationId: string, word: string, contactId: string): Key => ({
    pk: contactWords(organizationId, wordShard(word)),
    sk: `${word}#${contactId}`,
  }),
  contactCounter: (organizationId: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#CONTACT_COUNTS`,
    sk: counterShard(shard),
  }),
  pipelineCounter: (organizationId: string, pipelineId: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#LEAD_COUNTS`,
    sk: `${pipelineId}#${counterShard(shard)}`,
  }),
  /** Metrics of the leads with one value of a facet, such as a source. */
  facetCounter: (organizationId: string, facet: LeadFacet, value: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#LEAD_FACET#${facet}`,
    sk: `${value}#${counterShard(shard)}`,
  }),

  /** In its own partition. An index lists the imports. */
  leadImport: (organizationId: string, importId: string): Key => ({
    pk: leadImport(organizationId, importId),
    sk: 'IMPORT',
  }),
  /** Some rows of an import, keyed by the number of the first one. */
  leadImportChunk: (organizationId: string, importId: string, firstRow: number): Key => ({
    pk: leadImport(organizationId, importId),
    sk: `CHUNK#${importRow(firstRow)}`,
  }),
  /** The outcome of one row, written together with its lead. */
  leadImportRow: (organizationId: string, importId: string, row: number): Key => ({
    pk: leadImport(organizationId, importId),
    sk: `ROW#${importRow(row)}`,
  }),

  /** Deliveries and their work share a partition next to the organization's. */
  webhookDelivery: (organizationId: string, sourceId: string, deliveryId: string): Key => ({
    pk: webhookDeliveries(organizationId),
    sk: `${sourceId}#DELIVERY#${deliveryId}`,
  }),
  /** The number of deliveries on one day (`2026-01-15`). Expires together with them. */
  webhookDeliveryCounter: (
    organizationId: string,
    sourceId: string,
    day: string,
    shard: number,
  ): Key => ({
    pk: webhookDeliveries(organizationId),
    sk: `${sourceId}#COUNT#${day}#${counterShard(shard)}`,
  }),

  bioLink: (organizationId: string, linkId: string): Key => ({
    pk: tenant(organizationId),
    sk: `BIO_LINK#${linkId}`,
  }),
  /** The target of a short link. */
  shortCode: (code: string): Key => ({ pk: `SHORT#${code}`, sk: 'CLAIM' }),
  /** All clicks of a bio link, sharded for concurrent writes. */
  bioClicks: (organizationId: string, linkId: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#BIO_CLICKS`,
    sk: `${linkId}#${counterShard(shard)}`,
  }),
  /** Clicks of one day (`2026-01-15`), by country. */
  bioDay: (organizationId: string, linkId: string, day: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#BIO_DAYS`,
    sk: `${linkId}#${day}#${counterShard(shard)}`,
  }),
  /** Clicks of one day from one referring host. */
  bioReferrer: (
    organizationId: string,
    linkId: string,
    day: string,
    shard: number,
    host: string,
  ): Key => ({
    pk: `${tenant(organizationId)}#BIO_REFERRERS`,
    sk: `${linkId}#${day}#${counterShard(shard)}#${host}`,
  }),
  /** Deduplicates clicks of the same visitor within a short time. */
  bioVisit: (linkId: string, visitor: string): Key => ({
    pk: `VISIT#${linkId}#${visitor}`,
    sk: 'CLAIM',
  }),
  /** The salt for hashing visitors on one day. */
  visitorSalt: (day: string): Key => ({ pk: `SALT#${day}`, sk: 'SALT' }),

  /** Metrics of all instances for the minute, five minutes or hour that starts at `time`. */
  metrics: (level: string, time: string): Key => ({
    pk: metricsOfDay(level, time),
    sk: time,
  }),
  /** Cumulative metrics of a route. */
  routeMetrics: (route: string): Key => ({ pk: 'METRICS#routes', sk: route }),
  /** API calls of an organization in the hour that starts at `time`. */
  apiCalls: (organizationId: string, time: string): Key => ({
    pk: tenant(organizationId),
    sk: `API_CALLS#${time}`,
  }),
  incident: (incidentId: string): Key => ({ pk: 'INCIDENTS', sk: `INCIDENT#${incidentId}` }),
  /** The open incident of a dependency, at most one. */
  openIncident: (service: string): Key => ({ pk: 'INCIDENTS', sk: `OPEN#${service}` }),
  maintenance: (maintenanceId: string): Key => ({
    pk: 'INCIDENTS',
    sk: `MAINTENANCE#${maintenanceId}`,
  }),

  signupAttempt: (attemptId: string): Key => ({ pk: `SIGNUP#${attemptId}`, sk: 'ATTEMPT' }),
  idempotency: (fingerprint: string): Key => ({ pk: `IDEMPOTENCY#${fingerprint}`, sk: 'RECORD' }),
  rateWindow: (policy: string, subject: string, window: number): Key => ({
    pk: `RATE#${policy}#${subject}`,
    sk: `WINDOW#${window}`,
  }),
  /** Work required by a change, in the partition of the changed item. */
  outbox: (owner: Key, kind: string, workId: string): Key => ({
    pk: owner.pk,
    sk: `${outboxPrefix}${kind}#${workId}`,
  }),
};

const keywordPrefix = 'KEYWORD';

function conversation(organizationId: string, conversationId: string): string {
  return `${tenant(organizationId)}#CONVERSATION#${conversationId}`;
}

function leadImport(organizationId: string, importId: string): string {
  return `${tenant(organizationId)}#IMPORT#${importId}`;
}

function ledger(organizationId: string): string {
  return `${tenant(organizationId)}#LEDGER`;
}

function webhookDeliveries(organizationId: string): string {
  return `${tenant(organizationId)}#WEBHOOK_DELIVERIES`;
}

function metricsOfDay(level: string, time: string): string {
  return `METRICS#${level}#${time.slice(0, 10)}`;
}

/** Spreads the contact words over partitions, because each new contact adds several. */
const wordShards = 16;

/** Words with the same first character share a shard, because searches are by prefix. */
function wordShard(word: string): number {
  return (word.codePointAt(0) ?? 0) % wordShards;
}

function contactWords(organizationId: string, shard: number): string {
  return `${tenant(organizationId)}#CONTACT_WORDS#${counterShard(shard)}`;
}

function aiFigures(organizationId: string): string {
  return `${tenant(organizationId)}#AI_FIGURES`;
}

function importRow(row: number): string {
  return String(row).padStart(6, '0');
}

function counterShard(shard: number): string {
  return String(shard).padStart(2, '0');
}

/** Facets by which leads are counted, in addition to pipeline, stage and status. */
export const leadFacets = [
  'source',
  'campaign',
  'assignedToId',
  'socialAccountId',
  'contentPostId',
] as const;
export type LeadFacet = (typeof leadFacets)[number];

/** Number of partitions for an organization's inbound events. */
export const eventShards = 8;

/** Number of partitions for the recent texts of an organization's customers. */
export const inboundTextShards = 4;

/** Facets by which posts are listed and counted. */
export const postFacets = ['account', 'platform'] as const;
export type PostFacet = (typeof postFacets)[number];

/** Parses the organization and post ids from a post's key. */
export function postOfKey({ pk }: Pick<Key, 'pk'>) {
  const [, organizationId = '', , postId = ''] = pk.split('#');

  return { organizationId, postId };
}

/** Returns the route of a metrics key. */
export function routeOfMetrics({ sk }: Pick<Key, 'sk'>): string {
  return sk;
}

const outboxPrefix = 'OUTBOX#';

/** Returns the work kind from an outbox item's sort key. */
export function outboxKind(sk: string): string | undefined {
  return sk.startsWith(outboxPrefix) ? sk.split('#')[1] : undefined;
}

/** A range of sort keys within one partition. */
export type KeyRange = { readonly pk: string; readonly from: string; readonly to: string };

/** Sorts after every character that occurs in a key. */
const last = '\uffff';

function beginningWith(pk: string, prefix: string): KeyRange {
  return { pk, from: prefix || ' ', to: `${prefix}${last}` };
}

function wholePartition(pk: string): KeyRange {
  return { pk, from: ' ', to: last };
}

/** Returns the organization of a tenant key. */
export function organizationIdOf({ pk }: Key): string {
  return pk.split('#')[1] ?? '';
}

/** Returns the organization of a key, or `undefined` for keys without a tenant. */
export function tenantOf(key: Key): string | undefined {
  return key.pk.startsWith('ORG#') ? organizationIdOf(key) : undefined;
}

/** True for the key of an organization's subscription. */
export function isSubscriptionKey({ sk }: Key): boolean {
  return sk === 'SUBSCRIPTION';
}

/** True for the key of a social account. */
export function isSocialAccountKey({ sk }: Key): boolean {
  return sk.startsWith('SOCIAL_ACCOUNT#');
}

/** True for the key of an account's or campaign's webhook endpoint. */
export function isWebhookEndpointKey({ pk, sk }: Key): boolean {
  return pk.startsWith('ORG#') && sk.startsWith('WEBHOOK#');
}

/** True for the key of the organization's side of a membership. */
export function isMemberKey({ sk }: Key): boolean {
  return sk.startsWith('MEMBER#');
}

export const ranges = {
  sessions: (userId: string) => beginningWith(person(userId), 'SESSION#'),
  consents: (userId: string) => beginningWith(person(userId), 'CONSENT#'),
  memberships: (userId: string) => beginningWith(person(userId), 'MEMBERSHIP#'),
  /** Memberships and profile have adjacent keys, so one query reads both. */
  membershipsAndProfile: (userId: string): KeyRange => ({
    pk: person(userId),
    from: 'MEMBERSHIP#',
    to: 'PROFILE',
  }),
  members: (organizationId: string) => beginningWith(tenant(organizationId), 'MEMBER#'),
  invitations: (organizationId: string) => beginningWith(tenant(organizationId), 'INVITATION#'),
  auditEntries: (organizationId: string) => beginningWith(tenant(organizationId), 'AUDIT#'),
  /** The ledger entries of one type between two ids, inclusive. */
  ledgerEntries: (
    organizationId: string,
    type: string,
    fromId: string,
    toId: string,
  ): KeyRange => ({
    pk: ledger(organizationId),
    from: `${type}#${fromId}`,
    to: `${type}#${toId}`,
  }),
  usageDays: (organizationId: string, fromDate: string, toDate: string): KeyRange => ({
    pk: tenant(organizationId),
    from: keys.usageDay(organizationId, fromDate).sk,
    to: keys.usageDay(organizationId, toDate).sk,
  }),
  pipelines: (organizationId: string) => beginningWith(tenant(organizationId), 'PIPELINE#'),
  socialAccounts: (organizationId: string) =>
    beginningWith(tenant(organizationId), 'SOCIAL_ACCOUNT#'),
  /** The metrics of an account between two days, inclusive. */
  accountStats: (organizationId: string, accountId: string, from = '', to = last): KeyRange => ({
    pk: tenant(organizationId),
    from: keys.accountStats(organizationId, accountId, from).sk,
    to: keys.accountStats(organizationId, accountId, to).sk,
  }),
  agents: (organizationId: string) => beginningWith(tenant(organizationId), 'AGENT#'),
  promptTemplates: (organizationId: string) => beginningWith(tenant(organizationId), 'TEMPLATE#'),
  interactiveTemplates: (organizationId: string) =>
    beginningWith(tenant(organizationId), 'INTERACTIVE_TEMPLATE#'),
  campaigns: (organizationId: string) => beginningWith(tenant(organizationId), 'CAMPAIGN#'),
  /** Includes long keywords. The short prefix covers any text that a keyword may start with. */
  campaignKeywords: (organizationId: string) =>
    beginningWith(tenant(organizationId), keywordPrefix),
  /** The webhook endpoints of all accounts and campaigns. */
  webhookEndpoints: (organizationId: string) => beginningWith(tenant(organizationId), 'WEBHOOK#'),
  /** A lead and its activities. In descending order: the lead, then the latest activity. */
  leadAndActivities: (organizationId: string, leadId: string): KeyRange => ({
    pk: keys.lead(organizationId, leadId).pk,
    from: 'ACTIVITY#',
    to: 'LEAD',
  }),
  leadActivities: (organizationId: string, leadId: string) =>
    beginningWith(keys.lead(organizationId, leadId).pk, 'ACTIVITY#'),
  leadClaims: (organizationId: string, contactId: string) =>
    beginningWith(keys.contact(organizationId, contactId).pk, 'LEAD_IN#'),
  /** The messages of a conversation. In descending order, the latest message comes first. */
  conversationMessages: (organizationId: string, conversationId: string) =>
    beginningWith(conversation(organizationId, conversationId), 'MESSAGE#'),
  inboundTexts: (organizationId: string, shard: number): KeyRange =>
    wholePartition(keys.inboundText(organizationId, shard, '').pk),
  replyTraces: (organizationId: string, conversationId: string) =>
    beginningWith(conversation(organizationId, conversationId), 'TRACE#'),
  conversationCounters: (organizationId: string, counted: string) =>
    beginningWith(keys.conversationCounter(organizationId, '', 0).pk, `${counted}#`),
  contactWords: (organizationId: string, prefix: string) =>
    beginningWith(keys.contactWord(organizationId, prefix, '').pk, prefix),
  contactCounters: (organizationId: string) =>
    beginningWith(keys.contactCounter(organizationId, 0).pk, ''),
  /** The import chunks whose first row is within these bounds. */
  leadImportChunks: (
    organizationId: string,
    importId: string,
    fromRow: number,
    toRow: number,
  ): KeyRange => ({
    pk: leadImport(organizationId, importId),
    from: keys.leadImportChunk(organizationId, importId, fromRow).sk,
    to: keys.leadImportChunk(organizationId, importId, toRow).sk,
  }),
  leadImportRows: (
    organizationId: string,
    importId: string,
    fromRow: number,
    toRow: number,
  ): KeyRange => ({
    pk: leadImport(organizationId, importId),
    from: keys.leadImportRow(organizationId, importId, fromRow).sk,
    to: keys.leadImportRow(organizationId, importId, toRow).sk,
  }),
  pipelineCounters: (organizationId: string, pipelineId = '') =>
    beginningWith(keys.pipelineCounter(organizationId, '', 0).pk, pipelineId),
  facetCounters: (organizationId: string, facet: LeadFacet, value?: string) =>
    beginningWith(
      keys.facetCounter(organizationId, facet, '', 0).pk,
      value === undefined ? '' : `${value}#`,
    ),
  webhookDeliveries: (organizationId: string, sourceId: string) =>
    beginningWith(webhookDeliveries(organizationId), `${sourceId}#DELIVERY#`),
  webhookDeliveryCounters: (organizationId: string, sourceId: string) =>
    beginningWith(webhookDeliveries(organizationId), `${sourceId}#COUNT#`),
  bioLinks: (organizationId: string) => beginningWith(tenant(organizationId), 'BIO_LINK#'),
  /** The clicks of all links between the oldest and the newest id. */
  bioClicks: (organizationId: string, oldestId: string, newestId: string): KeyRange => ({
    pk: keys.bioClicks(organizationId, '', 0).pk,
    from: `${oldestId}#`,
    to: `${newestId}#${last}`,
  }),
  bioDays: (organizationId: string, linkId: string, from: string, to: string): KeyRange => ({
    pk: keys.bioDay(organizationId, '', '', 0).pk,
    from: `${linkId}#${from}`,
    to: `${linkId}#${to}#${last}`,
  }),
  bioReferrers: (organizationId: string, linkId: string, from: string, to: string): KeyRange => ({
    pk: keys.bioReferrer(organizationId, '', '', 0, '').pk,
    from: `${linkId}#${from}`,
    to: `${linkId}#${to}#${last}`,
  }),
  /** The posts with a date within the bounds, inclusive. */
  postDates: (organizationId: string, from = '', to: string = last): KeyRange => ({
    pk: keys.postDate(organizationId, '', '').pk,
    from: from || ' ',
    to: `${to}${last}`,
  }),
  postEntries: (organizationId: string, facet: PostFacet, value: string) =>
    beginningWith(keys.postEntry(organizationId, facet, '', '').pk, `${facet}#${value}#`),
  postCounters: (organizationId: string, facet: PostFacet | 'all', value: string) =>
    beginningWith(keys.postCounter(organizationId, facet, '', 0).pk, `${facet}#${value}#`),
  /** The metrics of periods on one day. */
  metrics: (level: string, from: string, to: string): KeyRange => ({
    pk: metricsOfDay(level, from),
    from,
    to,
  }),
  routeMetrics: () => wholePartition(keys.routeMetrics('').pk),
  apiCalls: (organizationId: string, from: string): KeyRange => ({
    pk: tenant(organizationId),
    from: keys.apiCalls(organizationId, from).sk,
    to: keys.apiCalls(organizationId, last).sk,
  }),
  incidents: () => beginningWith(keys.incident('').pk, 'INCIDENT#'),
  openIncidents: () => beginningWith(keys.incident('').pk, 'OPEN#'),
  maintenances: () => beginningWith(keys.incident('').pk, 'MAINTENANCE#'),
  everythingOf: (organizationId: string) => wholePartition(tenant(organizationId)),
  /** All other partitions of an organization: counters, search words, events, texts and so on. */
  sidePartitions: (organizationId: string): readonly KeyRange[] =>
    [
      keys.contactCounter(organizationId, 0),
      { pk: aiFigures(organizationId) },
      ...Array.from({ length: wordShards }, (_, shard) => ({
        pk: contactWords(organizationId, shard),
      })),
      keys.pipelineCounter(organizationId, '', 0),
      keys.conversationCounter(organizationId, '', 0),
      keys.webhookDelivery(organizationId, '', ''),
      keys.postDate(organizationId, '', ''),
      keys.postEntry(organizationId, 'account', '', ''),
      keys.postCounter(organizationId, 'all', '', 0),
      keys.postMetrics(organizationId, '', ''),
      keys.publishedPost(organizationId, '', ''),
      keys.bioClicks(organizationId, '', 0),
      keys.bioDay(organizationId, '', '', 0),
      keys.bioReferrer(organizationId, '', '', 0, ''),
      ...leadFacets.map((facet) => keys.facetCounter(organizationId, facet, '', 0)),
      ...Array.from({ length: eventShards }, (_, shard) =>
        keys.inboundEvent(organizationId, shard, '', ''),
      ),
      ...Array.from({ length: inboundTextShards }, (_, shard) =>
        keys.inboundText(organizationId, shard, ''),
      ),
    ].map(({ pk }) => wholePartition(pk)),
  partitionOf: ({ pk }: Key) => wholePartition(pk),
};

/** Queues of the due-work index. Each is processed by its own job or sweep. */
export type DueQueue =
  | 'DUE'
  | 'PUBLISH'
  | 'PUBLISHING'
  | 'POST_METRICS'
  | 'TOKEN_REFRESH'
  | 'COMMENTS_POLL'
  | 'SILENCE'
  | 'METRICS'
  | 'REFILL'
  | 'RECONCILE';

export const dueShards = 4;

/** A partition of the due-work index. */
export function dueShard(queue: DueQueue, shard: number): string {
  return `${queue}#${shard}`;
}
