import {
  beginningWith,
  counterShard,
  type Key,
  type KeyRange,
  last,
  tenant,
  wholePartition,
} from './key.ts';

export const socialKeys = {
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
};

export const socialRanges = {
  socialAccounts: (organizationId: string) =>
    beginningWith(tenant(organizationId), 'SOCIAL_ACCOUNT#'),
  /** The figures of an account from one day to another, both included. */
  accountStats: (organizationId: string, accountId: string, from = '', to = last): KeyRange => ({
    pk: tenant(organizationId),
    from: socialKeys.accountStats(organizationId, accountId, from).sk,
    to: socialKeys.accountStats(organizationId, accountId, to).sk,
  }),
  /** A conversation and its messages: from the end, the latest message comes first. */
  conversationMessages: (organizationId: string, conversationId: string) =>
    beginningWith(conversation(organizationId, conversationId), 'MESSAGE#'),
  inboundTexts: (organizationId: string, shard: number): KeyRange =>
    wholePartition(socialKeys.inboundText(organizationId, shard, '').pk),
  replyTraces: (organizationId: string, conversationId: string) =>
    beginningWith(conversation(organizationId, conversationId), 'TRACE#'),
  conversationCounters: (organizationId: string, counted: string) =>
    beginningWith(socialKeys.conversationCounter(organizationId, '', 0).pk, `${counted}#`),
};

function conversation(organizationId: string, conversationId: string): string {
  return `${tenant(organizationId)}#CONVERSATION#${conversationId}`;
}

/** So many partitions share an organization's inbound events. */
export const eventShards = 8;

/** So many partitions share what an organization's customers wrote. */
export const inboundTextShards = 4;

/** Whether a key is a social account's. */
export function isSocialAccountKey({ sk }: Key): boolean {
  return sk.startsWith('SOCIAL_ACCOUNT#');
}
