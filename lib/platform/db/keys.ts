/** The primary key of an item. Key strings are built in this file and nowhere else. */
export type Key = { readonly pk: string; readonly sk: string };

/** The partition of one tenant. No key of a tenant can be built without its id. */
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
  /** The user's side of a membership: what the list of a user's organizations reads. */
  userMembership: (userId: string, organizationId: string): Key => ({
    pk: person(userId),
    sk: `MEMBERSHIP#${organizationId}`,
  }),
  userToken: (tokenHash: string): Key => ({ pk: `USER_TOKEN#${tokenHash}`, sk: 'CLAIM' }),

  organization: (organizationId: string): Key => ({ pk: tenant(organizationId), sk: 'ORG' }),
  billing: (organizationId: string): Key => ({ pk: tenant(organizationId), sk: 'BILLING' }),
  /** What an organization has subscribed to, or is about to. */
  subscription: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'SUBSCRIPTION',
  }),
  /** Held while an organization's billing is being set up. */
  billingSetup: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'BILLING_SETUP',
  }),
  /** The credits of an organization, and how they are refilled. */
  balance: (organizationId: string): Key => ({ pk: tenant(organizationId), sk: 'BALANCE' }),
  /** Credits that are held for a reply until it is sent or given up. */
  creditReservation: (organizationId: string, replyId: string): Key => ({
    pk: tenant(organizationId),
    sk: `RESERVATION#${replyId}`,
  }),
  /** What the ledger's entries of one day add up to. */
  usageDay: (organizationId: string, date: string): Key => ({
    pk: tenant(organizationId),
    sk: `USAGE#${date}`,
  }),
  /** Entries have a partition of their own: they outlive the organization. */
  ledgerEntry: (organizationId: string, type: string, entryId: string): Key => ({
    pk: ledger(organizationId),
    sk: `${type}#${entryId}`,
  }),
  /** A payment that the provider is or was asked for; it outlives the organization until settled. */
  payment: (organizationId: string, paymentId: string): Key => ({
    pk: `${tenant(organizationId)}#PAYMENT#${paymentId}`,
    sk: 'PAYMENT',
  }),
  /** Each event of the payment provider is taken once. */
  paymentEvent: (eventId: string): Key => ({ pk: `PAYMENT_EVENT#${eventId}`, sk: 'CLAIM' }),
  customerClaim: (customerId: string): Key => ({ pk: `CUSTOMER#${customerId}`, sk: 'CLAIM' }),
  /** The organization's side of a membership: what every request of a member reads. */
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
  /** A name that one thing of a kind has in the organization. */
  nameClaim: (organizationId: string, kind: string, name: string): Key => ({
    pk: tenant(organizationId),
    sk: `UNIQUE#${kind}#${name}`,
  }),
  /** What an agent or a template has done. They are written with every reply. */
  aiFigures: (organizationId: string, of: string, id: string): Key => ({
    pk: aiFigures(organizationId),
    sk: `${of}#${id}`,
  }),
  campaign: (organizationId: string, campaignId: string): Key => ({
    pk: tenant(organizationId),
    sk: `CAMPAIGN#${campaignId}`,
  }),
  /** One campaign has a keyword: its claim, and what lists and matching read. */
  campaignKeyword: (organizationId: string, normalizedText: string): Key => ({
    pk: tenant(organizationId),
    sk: `${keywordPrefix}#${normalizedText}`,
  }),
  /** The same of a text that is too long for a key. */
  longCampaignKeyword: (organizationId: string, textHash: string): Key => ({
    pk: tenant(organizationId),
    sk: `${keywordPrefix}_HASH#${textHash}`,
  }),
  /** Which state the keywords of all campaigns are in. */
  keywordSet: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'CAMPAIGN_KEYWORDS',
  }),
  socialAccount: (organizationId: string, accountId: string): Key => ({
    pk: tenant(organizationId),
    sk: `SOCIAL_ACCOUNT#${accountId}`,
  }),
  /** A network's account is connected once in the whole service; leads its events to the tenant. */
  socialAccountClaim: (platform: string, platformUserId: string): Key => ({
    pk: `SOCIAL#${platform}#${platformUserId}`,
    sk: 'CLAIM',
  }),
  /** Which account a network's account was in the organization, before it was disconnected. */
  formerSocialAccount: (organizationId: string, platform: string, platformUserId: string): Key => ({
    pk: tenant(organizationId),
    sk: `FORMER_ACCOUNT#${platform}#${platformUserId}`,
  }),
  /** An account's figures of one day, `YYYY-MM-DD`. */
  accountStats: (organizationId: string, accountId: string, date: string): Key => ({
    pk: tenant(organizationId),
    sk: `ACCOUNT_STATS#${accountId}#${date}`,
  }),
  /** When the next figures of an account and its posts are to be fetched. */
  snapshotSchedule: (organizationId: string, accountId: string): Key => ({
    pk: tenant(organizationId),
    sk: `SNAPSHOT_SCHEDULE#${accountId}`,
  }),
  /** A post has a partition of its own: publishing writes it several times. */
  contentPost: (organizationId: string, postId: string): Key => ({
    pk: `${tenant(organizationId)}#POST#${postId}`,
    sk: 'POST',
  }),
  /** What is read of a post for a time and by several filters: in the order of the posts' dates. */
  postDate: (organizationId: string, date: string, postId: string): Key => ({
    pk: `${tenant(organizationId)}#POST_DATES`,
    sk: `${date}#${postId}`,
  }),
  /** A post in the list of all that have one value of a facet. */
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
  /** The figures that a published post had at the end of a day, or has so far. */
  postMetrics: (organizationId: string, postId: string, date: string): Key => ({
    pk: `${tenant(organizationId)}#POST_METRICS`,
    sk: `${postId}#${date}`,
  }),
  /** Which post of ours a network's own id means. */
  publishedPost: (organizationId: string, accountId: string, platformPostId: string): Key => ({
    pk: `${tenant(organizationId)}#PUBLISHED`,
    sk: `${accountId}#${platformPostId}`,
  }),
  /** A post's keyword is its own within the organization. */
  postKeyword: (organizationId: string, keywordHash: string): Key => ({
    pk: tenant(organizationId),
    sk: `UNIQUE#POST_KEYWORD#${keywordHash}`,
  }),
  calendarFeed: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'CALENDAR_FEED',
  }),
  /** Where the events of a source, an account or a campaign, are forwarded to. */
  webhookEndpoint: (organizationId: string, sourceId: string): Key => ({
    pk: tenant(organizationId),
    sk: `WEBHOOK#${sourceId}`,
  }),
  /** Written with that of an account: the network calls with the account's id and no more. */
  socialWebhookClaim: (accountId: string): Key => ({ pk: `WEBHOOK#${accountId}`, sk: 'CLAIM' }),
  /** Where an account's comments have been fetched up to, and when they are fetched next. */
  commentsPoll: (organizationId: string, accountId: string): Key => ({
    pk: tenant(organizationId),
    sk: `COMMENTS_POLL#${accountId}`,
  }),
  /** What looks for comments have taken of the day that a network allows to the whole service. */
  commentCalls: (platform: string, day: string): Key => ({
    pk: `COMMENT_CALLS#${platform}`,
    sk: `DAY#${day}`,
  }),
  /** A conversation and its messages have a partition of their own. */
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
  /** What was decided about a message that a customer wrote. */
  replyTrace: (organizationId: string, conversationId: string, messageId: string): Key => ({
    pk: conversation(organizationId, conversationId),
    sk: `TRACE#${messageId}`,
  }),
  /** A comment is answered in private once. */
  privateReplyClaim: (organizationId: string, conversationId: string, messageId: string): Key => ({
    pk: conversation(organizationId, conversationId),
    sk: `PRIVATE_REPLY#${messageId}`,
  }),
  /** One conversation for a customer on a channel of an account. */
  conversationClaim: (
    organizationId: string,
    accountId: string,
    channel: string,
    customerId: string,
  ): Key => ({
    pk: `${tenant(organizationId)}#CUSTOMER#${accountId}#${channel}#${customerId}`,
    sk: 'CLAIM',
  }),
  /** Which message of ours a network's own id means; a message is recorded once. */
  networkMessage: (organizationId: string, accountId: string, networkMessageId: string): Key => ({
    pk: `${tenant(organizationId)}#NETWORK_MESSAGE#${accountId}#${networkMessageId}`,
    sk: 'CLAIM',
  }),
  /** Counters of conversations: of `all`, of an account, of a campaign. */
  conversationCounter: (organizationId: string, counted: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#CONVERSATION_COUNTS`,
    sk: `${counted}#${counterShard(shard)}`,
  }),
  /** What a customer wrote, in the list of an organization's latest messages. */
  inboundText: (organizationId: string, shard: number, messageId: string): Key => ({
    pk: `${tenant(organizationId)}#INBOUND_TEXTS#${shard}`,
    sk: messageId,
  }),
  /** An event that a network has told of, taken once. */
  inboundEvent: (
    organizationId: string,
    shard: number,
    platform: string,
    eventId: string,
  ): Key => ({
    pk: `${tenant(organizationId)}#EVENTS#${shard}`,
    sk: `EVENT#${platform}#${eventId}`,
  }),
  /** A lead and its activities have a partition of their own: leads are what is written most. */
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
  /** One lead for a contact in a pipeline. */
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
  /** The figures of the leads that have one value of a facet, such as one source. */
  facetCounter: (organizationId: string, facet: LeadFacet, value: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#LEAD_FACET#${facet}`,
    sk: `${value}#${counterShard(shard)}`,
  }),

  /** An import has a partition of its own, and is found in the index that lists it. */
  leadImport: (organizationId: string, importId: string): Key => ({
    pk: leadImport(organizationId, importId),
    sk: 'IMPORT',
  }),
  /** Some rows of an import, under the number of the first one. */
  leadImportChunk: (organizationId: string, importId: string, firstRow: number): Key => ({
    pk: leadImport(organizationId, importId),
    sk: `CHUNK#${importRow(firstRow)}`,
  }),
  /** What became of one row, written together with its lead. */
  leadImportRow: (organizationId: string, importId: string, row: number): Key => ({
    pk: leadImport(organizationId, importId),
    sk: `ROW#${importRow(row)}`,
  }),

  /** Deliveries, and the work for them, have a partition of their own beside the organization's. */
  webhookDelivery: (organizationId: string, sourceId: string, deliveryId: string): Key => ({
    pk: webhookDeliveries(organizationId),
    sk: `${sourceId}#DELIVERY#${deliveryId}`,
  }),
  /** The deliveries of one day (`2026-01-15`), which end with it. */
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
  /** What a short link leads to. */
  shortCode: (code: string): Key => ({ pk: `SHORT#${code}`, sk: 'CLAIM' }),
  /** All clicks of a bio link: in shards, as many come at once. */
  bioClicks: (organizationId: string, linkId: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#BIO_CLICKS`,
    sk: `${linkId}#${counterShard(shard)}`,
  }),
  /** Those of one day (`2026-01-15`), with their countries. */
  bioDay: (organizationId: string, linkId: string, day: string, shard: number): Key => ({
    pk: `${tenant(organizationId)}#BIO_DAYS`,
    sk: `${linkId}#${day}#${counterShard(shard)}`,
  }),
  /** Those of one day that came from one host. */
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
  /** A visitor whose click on a link has just been counted. */
  bioVisit: (linkId: string, visitor: string): Key => ({
    pk: `VISIT#${linkId}#${visitor}`,
    sk: 'CLAIM',
  }),
  /** What visitors are hashed with on one day. */
  visitorSalt: (day: string): Key => ({ pk: `SALT#${day}`, sk: 'SALT' }),

  /** What all instances did within a minute, five minutes or an hour that begins at `time`. */
  metrics: (level: string, time: string): Key => ({
    pk: metricsOfDay(level, time),
    sk: time,
  }),
  /** What happened on a route since ever. */
  routeMetrics: (route: string): Key => ({ pk: 'METRICS#routes', sk: route }),
  /** The calls of an organization in an hour that begins at `time`. */
  apiCalls: (organizationId: string, time: string): Key => ({
    pk: tenant(organizationId),
    sk: `API_CALLS#${time}`,
  }),
  incident: (incidentId: string): Key => ({ pk: 'INCIDENTS', sk: `INCIDENT#${incidentId}` }),
  /** The one incident of a dependency that is open. */
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
  /** Work that a change of state called for, in the partition of whom it is about. */
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

/** So many partitions share the words of an organization's contacts: each new one brings several. */
const wordShards = 16;

/** Words that begin alike lie together, as a search asks for beginnings. */
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

/** What leads are counted by, beside the pipeline with its stages and statuses. */
export const leadFacets = [
  'source',
  'campaign',
  'assignedToId',
  'socialAccountId',
  'contentPostId',
] as const;
export type LeadFacet = (typeof leadFacets)[number];

/** So many partitions share an organization's inbound events. */
export const eventShards = 8;

/** So many partitions share what an organization's customers wrote. */
export const inboundTextShards = 4;

/** What posts are listed and counted by. */
export const postFacets = ['account', 'platform'] as const;
export type PostFacet = (typeof postFacets)[number];

/** The organization and the post that a post's own key names. */
export function postOfKey({ pk }: Pick<Key, 'pk'>) {
  const [, organizationId = '', , postId = ''] = pk.split('#');

  return { organizationId, postId };
}

/** The route that a key of its figures names. */
export function routeOfMetrics({ sk }: Pick<Key, 'sk'>): string {
  return sk;
}

const outboxPrefix = 'OUTBOX#';

/** The kind of work that an outbox item's sort key names. */
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

/** The organization in whose partitions a key lies. */
export function organizationIdOf({ pk }: Key): string {
  return pk.split('#')[1] ?? '';
}

/** The organization in whose partitions a key lies, if it is one's. */
export function tenantOf(key: Key): string | undefined {
  return key.pk.startsWith('ORG#') ? organizationIdOf(key) : undefined;
}

/** Whether a key is that of an organization's subscription. */
export function isSubscriptionKey({ sk }: Key): boolean {
  return sk === 'SUBSCRIPTION';
}

/** Whether a key is a social account's. */
export function isSocialAccountKey({ sk }: Key): boolean {
  return sk.startsWith('SOCIAL_ACCOUNT#');
}

/** Whether a key is that of where an account's or a campaign's events are sent to. */
export function isWebhookEndpointKey({ pk, sk }: Key): boolean {
  return pk.startsWith('ORG#') && sk.startsWith('WEBHOOK#');
}

/** Whether a key is the organization's side of a membership. */
export function isMemberKey({ sk }: Key): boolean {
  return sk.startsWith('MEMBER#');
}

export const ranges = {
  sessions: (userId: string) => beginningWith(person(userId), 'SESSION#'),
  consents: (userId: string) => beginningWith(person(userId), 'CONSENT#'),
  memberships: (userId: string) => beginningWith(person(userId), 'MEMBERSHIP#'),
  /** The memberships and the profile lie side by side: one query reads both. */
  membershipsAndProfile: (userId: string): KeyRange => ({
    pk: person(userId),
    from: 'MEMBERSHIP#',
    to: 'PROFILE',
  }),
  members: (organizationId: string) => beginningWith(tenant(organizationId), 'MEMBER#'),
  invitations: (organizationId: string) => beginningWith(tenant(organizationId), 'INVITATION#'),
  auditEntries: (organizationId: string) => beginningWith(tenant(organizationId), 'AUDIT#'),
  /** The ledger's entries of one type between two ids, both included. */
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
  /** The figures of an account from one day to another, both included. */
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
  /** The long ones too. A text may begin beyond the end of any range that names more than this. */
  campaignKeywords: (organizationId: string) =>
    beginningWith(tenant(organizationId), keywordPrefix),
  /** Where the events of all accounts and campaigns go on to. */
  webhookEndpoints: (organizationId: string) => beginningWith(tenant(organizationId), 'WEBHOOK#'),
  /** A lead and its activities: from the end, the lead comes first, then the latest activity. */
  leadAndActivities: (organizationId: string, leadId: string): KeyRange => ({
    pk: keys.lead(organizationId, leadId).pk,
    from: 'ACTIVITY#',
    to: 'LEAD',
  }),
  leadActivities: (organizationId: string, leadId: string) =>
    beginningWith(keys.lead(organizationId, leadId).pk, 'ACTIVITY#'),
  leadClaims: (organizationId: string, contactId: string) =>
    beginningWith(keys.contact(organizationId, contactId).pk, 'LEAD_IN#'),
  /** A conversation and its messages: from the end, the latest message comes first. */
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
  /** The chunks of an import that begin with a row of these. */
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
  /** The clicks of the links from the oldest to the newest of these. */
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
  /** The posts whose date is one of these, the bounds included. */
  postDates: (organizationId: string, from = '', to: string = last): KeyRange => ({
    pk: keys.postDate(organizationId, '', '').pk,
    from: from || ' ',
    to: `${to}${last}`,
  }),
  postEntries: (organizationId: string, facet: PostFacet, value: string) =>
    beginningWith(keys.postEntry(organizationId, facet, '', '').pk, `${facet}#${value}#`),
  postCounters: (organizationId: string, facet: PostFacet | 'all', value: string) =>
    beginningWith(keys.postCounter(organizationId, facet, '', 0).pk, `${facet}#${value}#`),
  /** The figures of times that lie on one day. */
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
  /** The partitions of an organization's counters, search words, events, texts, deliveries, clicks, posts' lists. */
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

/** What waits for its time, each kind read by a job or sweep of its own. */
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
