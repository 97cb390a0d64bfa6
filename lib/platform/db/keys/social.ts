import {
  beginningWith,
  between,
  counterShard,
  inTenant,
  type Key,
  type KeyRange,
  key,
  last,
  tenant,
  wholePartition,
  wordShard,
  workOf,
} from './key.ts';

export const socialKeys = {
  socialAccount: (organizationId: string, accountId: string) =>
    inTenant(organizationId, `SOCIAL_ACCOUNT#${accountId}`),
  /** The calls of a month to networks that charge for them. */
  networkCalls: (organizationId: string, month: string) =>
    inTenant(organizationId, `NETWORK_CALLS#${month}`),
  /** An account's second token, for messages and comments. Only TikTok needs one. */
  messagingCredential: (organizationId: string, accountId: string) =>
    inTenant(organizationId, `MESSAGING_CREDENTIAL#${accountId}`),
  /**
   * Makes a network account unique in the whole service, and maps its events to the organization.
   */
  socialAccountClaim: (platform: string, platformUserId: string) =>
    key(`SOCIAL#${platform}#${platformUserId}`, 'CLAIM'),
  /** The previous id of a network account in this organization, from before it was disconnected. */
  formerSocialAccount: (organizationId: string, platform: string, platformUserId: string) =>
    inTenant(organizationId, `FORMER_ACCOUNT#${platform}#${platformUserId}`),
  /** A person's authorization at a network, with the accounts that can be connected. */
  oauthSession: (organizationId: string, sessionId: string) =>
    inTenant(organizationId, `OAUTH_SESSION#${sessionId}`),
  /** An account that a session has connected. */
  oauthConnection: (organizationId: string, sessionId: string, platformUserId: string) =>
    inTenant(organizationId, `OAUTH_CONNECTION#${sessionId}#${platformUserId}`),
  /** Maps the hash of a session's `state` to the session, until the network returns it. */
  oauthState: (stateHash: string) => key(`OAUTH_STATE#${stateHash}`, 'CLAIM'),
  connectLink: (organizationId: string, linkId: string) =>
    inTenant(organizationId, `CONNECT_LINK#${linkId}`),
  /** Finds the token of a deleted link when the organization is deleted. */
  deletedConnectLink: (organizationId: string, linkId: string) =>
    inTenant(organizationId, `DELETED_CONNECT_LINK#${linkId}`),
  /**
   * Maps the hash of a link's token to the link. It outlives a deleted link, whose page then says
   * that it was deleted.
   */
  connectLinkToken: (tokenHash: string) => key(`CONNECT_LINK_TOKEN#${tokenHash}`, 'CLAIM'),
  /** Metrics of an account on one day, `YYYY-MM-DD`. */
  accountStats: (organizationId: string, accountId: string, date: string) =>
    inTenant(organizationId, `ACCOUNT_STATS#${accountId}#${date}`),
  /** The next time when the metrics of an account and its posts are fetched. */
  snapshotSchedule: (organizationId: string, accountId: string) =>
    inTenant(organizationId, `SNAPSHOT_SCHEDULE#${accountId}`),
  /** The next time when the account's posts are imported. */
  importSchedule: (organizationId: string, accountId: string) =>
    inTenant(organizationId, `IMPORT_SCHEDULE#${accountId}`),
  /**
   * Stored together with the account's endpoint, because the network's request contains only the
   * account id.
   */
  socialWebhookClaim: (accountId: string) => key(`WEBHOOK#${accountId}`, 'CLAIM'),
  /** Until when an account's comments were fetched, and when the next fetch is due. */
  commentsPoll: (organizationId: string, accountId: string) =>
    inTenant(organizationId, `COMMENTS_POLL#${accountId}`),
  /** The number of comment calls on a day, for networks that limit them for the whole service. */
  commentCalls: (platform: string, day: string) => key(`COMMENT_CALLS#${platform}`, `DAY#${day}`),
  /** In its own partition, together with its messages. */
  conversation: (organizationId: string, conversationId: string) =>
    key(conversation(organizationId, conversationId), 'CONVERSATION'),
  conversationMessage: (organizationId: string, conversationId: string, messageId: string) =>
    key(conversation(organizationId, conversationId), `MESSAGE#${messageId}`),
  /** Counts the messages of a conversation. */
  messageCounter: (organizationId: string, conversationId: string) =>
    key(conversation(organizationId, conversationId), 'COUNT#MESSAGES'),
  /** The decisions about a customer's message. */
  replyTrace: (organizationId: string, conversationId: string, messageId: string) =>
    key(conversation(organizationId, conversationId), `TRACE#${messageId}`),
  /** A note of the team about a conversation. */
  conversationNote: (organizationId: string, conversationId: string, noteId: string) =>
    key(conversation(organizationId, conversationId), `NOTE#${noteId}`),
  /** A link that an answer gave to the customer of a conversation. */
  personalLink: (organizationId: string, conversationId: string, linkId: string) =>
    key(conversation(organizationId, conversationId), `LINK#${linkId}`),
  noteCounter: (organizationId: string, conversationId: string) =>
    key(conversation(organizationId, conversationId), 'NOTES'),
  /** Limits a comment to one private reply. */
  privateReplyClaim: (organizationId: string, conversationId: string, messageId: string) =>
    key(conversation(organizationId, conversationId), `PRIVATE_REPLY#${messageId}`),
  /** Limits a customer to one conversation per account and channel. */
  conversationClaim: (
    organizationId: string,
    accountId: string,
    channel: string,
    customerId: string,
  ) => key(`${tenant(organizationId)}#CUSTOMER#${accountId}#${channel}#${customerId}`, 'CLAIM'),
  /** A customer who opted out, on all channels of an account. Outlives the customer's erasure. */
  optOut: (organizationId: string, accountId: string, customerHash: string) =>
    inTenant(organizationId, `OPT_OUT#${accountId}#${customerHash}`),
  /** A conversation in the list of a person's conversations at a network, in all organizations. */
  customerConversation: (
    platform: string,
    customerId: string,
    organizationId: string,
    conversationId: string,
  ) => key(`CUSTOMER_OF#${platform}#${customerId}`, `${organizationId}#${conversationId}`),
  /** An account in the list of accounts whose tokens a person at a network granted. */
  grantedAccount: (platform: string, personId: string, organizationId: string, accountId: string) =>
    key(`GRANTED_BY#${platform}#${personId}`, `${organizationId}#${accountId}`),
  /** A person's request that all organizations delete their data, by its confirmation code. */
  dataDeletion: (code: string) => key(`DATA_DELETION#${code}`, 'REQUEST'),
  /** A person's deletion request that is not finished yet. */
  openDataDeletion: (platform: string, personId: string) =>
    key(`DATA_DELETION_OF#${platform}#${personId}`, 'OPEN'),
  /** Maps a network's message id to our message, and deduplicates messages. */
  networkMessage: (organizationId: string, accountId: string, networkMessageId: string) =>
    key(`${tenant(organizationId)}#NETWORK_MESSAGE#${accountId}#${networkMessageId}`, 'CLAIM'),
  /** A conversation in the list of a member's assigned conversations. */
  assignment: (organizationId: string, userId: string, conversationId: string) =>
    key(`${tenant(organizationId)}#ASSIGNMENTS`, `${userId}#${conversationId}`),
  /** A conversation in the list of conversations in which no agent answers. */
  unansweredConversation: (organizationId: string, conversationId: string) =>
    inTenant(organizationId, `UNANSWERED#${conversationId}`),
  /**
   * A conversation in the list of conversations whose customer has a word in the name or username.
   */
  conversationWord: (organizationId: string, word: string, conversationId: string) =>
    key(conversationWords(organizationId, wordShard(word)), `${word}#${conversationId}`),
  /** Conversation counters: of all conversations (`all`), of an account, or of a campaign. */
  conversationCounter: (organizationId: string, counted: string, shard: number) =>
    key(`${tenant(organizationId)}#CONVERSATION_COUNTS`, `${counted}#${counterShard(shard)}`),
  /** A customer's message in the organization's list of recent messages. */
  inboundText: (organizationId: string, shard: number, messageId: string) =>
    key(`${tenant(organizationId)}#INBOUND_TEXTS#${shard}`, messageId),
  /** Deduplicates a network's events. */
  inboundEvent: (organizationId: string, shard: number, platform: string, eventId: string) =>
    key(`${tenant(organizationId)}#EVENTS#${shard}`, `EVENT#${platform}#${eventId}`),
};

export const socialRanges = {
  socialAccounts: (organizationId: string) =>
    beginningWith(tenant(organizationId), 'SOCIAL_ACCOUNT#'),
  formerSocialAccounts: (organizationId: string) =>
    beginningWith(tenant(organizationId), 'FORMER_ACCOUNT#'),
  oauthConnections: (organizationId: string, sessionId: string) =>
    beginningWith(
      tenant(organizationId),
      socialKeys.oauthConnection(organizationId, sessionId, '').sk,
    ),
  connectLinks: (organizationId: string) => beginningWith(tenant(organizationId), 'CONNECT_LINK#'),
  accountStats: (organizationId: string, accountId: string, from = '', to = last) =>
    between(
      tenant(organizationId),
      socialKeys.accountStats(organizationId, accountId, from).sk,
      socialKeys.accountStats(organizationId, accountId, to).sk,
    ),
  /** The messages of a conversation. In descending order, the latest message comes first. */
  conversationMessages: (organizationId: string, conversationId: string) =>
    beginningWith(conversation(organizationId, conversationId), 'MESSAGE#'),
  customerConversations: (platform: string, customerId: string): KeyRange =>
    wholePartition(socialKeys.customerConversation(platform, customerId, '', '').pk),
  grantedAccounts: (platform: string, personId: string): KeyRange =>
    wholePartition(socialKeys.grantedAccount(platform, personId, '', '').pk),
  /** The messages of a conversation whose ids are below the given one. */
  messagesBefore: (organizationId: string, conversationId: string, id: string) =>
    between(conversation(organizationId, conversationId), 'MESSAGE#', `MESSAGE#${id}`),
  messagesBetween: (
    organizationId: string,
    conversationId: string,
    ids: { readonly first: string; readonly last?: string },
  ) =>
    between(
      conversation(organizationId, conversationId),
      `MESSAGE#${ids.first}`,
      `MESSAGE#${ids.last ?? last}`,
    ),
  inboundTextsBefore: (organizationId: string, shard: number, id: string) =>
    between(socialKeys.inboundText(organizationId, shard, '').pk, ' ', id),
  conversationNotes: (organizationId: string, conversationId: string) =>
    beginningWith(conversation(organizationId, conversationId), 'NOTE#'),
  assignments: (organizationId: string, userId: string) =>
    beginningWith(socialKeys.assignment(organizationId, '', '').pk, `${userId}#`),
  unansweredConversations: (organizationId: string) =>
    beginningWith(tenant(organizationId), 'UNANSWERED#'),
  conversationWords: (organizationId: string, prefix: string) =>
    beginningWith(socialKeys.conversationWord(organizationId, prefix, '').pk, prefix),
  inboundTexts: (organizationId: string, shard: number): KeyRange =>
    wholePartition(socialKeys.inboundText(organizationId, shard, '').pk),
  /** The work of events. It is in the partitions of the events' claims. */
  inboundEventWork: (organizationId: string, shard: number) =>
    beginningWith(
      socialKeys.inboundEvent(organizationId, shard, '', '').pk,
      workOf('inboundEvent'),
    ),
  replyTraces: (organizationId: string, conversationId: string) =>
    beginningWith(conversation(organizationId, conversationId), 'TRACE#'),
  conversationCounters: (organizationId: string, counted: string) =>
    beginningWith(socialKeys.conversationCounter(organizationId, '', 0).pk, `${counted}#`),
};

function conversation(organizationId: string, conversationId: string): string {
  return `${tenant(organizationId)}#CONVERSATION#${conversationId}`;
}

export function conversationWords(organizationId: string, shard: number): string {
  return `${tenant(organizationId)}#CONVERSATION_WORDS#${counterShard(shard)}`;
}

export const eventShards = 8;

export const inboundTextShards = 4;

export function isMessageKey({ sk }: Key): boolean {
  return sk.startsWith('MESSAGE#');
}

export function isPersonalLinkKey({ sk }: Key): boolean {
  return sk.startsWith('LINK#');
}

export function isNoteKey({ sk }: Key): boolean {
  return sk.startsWith('NOTE#');
}

export function isTraceKey({ sk }: Key): boolean {
  return sk.startsWith('TRACE#');
}

/** Returns the platform of the former account with this key. */
export function platformOfFormerAccount({ sk }: Key): string {
  return sk.split('#')[1] ?? '';
}

export function isSocialAccountKey({ sk }: Key): boolean {
  return sk.startsWith('SOCIAL_ACCOUNT#');
}

export function isMessagingCredentialKey({ sk }: Key): boolean {
  return sk.startsWith('MESSAGING_CREDENTIAL#');
}

/** Returns the organization of a conversation in a person's list of conversations. */
export function organizationOfEntry({ sk }: Key): string {
  return sk.split('#')[0] ?? '';
}
