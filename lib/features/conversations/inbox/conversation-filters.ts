import { type Conversation, waitingSinceOf } from '#lib/features/conversations/conversation.ts';
import {
  counted,
  readConversationCount,
} from '#lib/features/conversations/conversation-counters.ts';
import type { IndexedList, ListIndex } from '#lib/platform/db/lists/sharded-list.ts';
import { wordsOf } from '#lib/platform/words.ts';
import type { FiltersOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/conversations.ts';
import type { ConversationStatus } from '#schemas/conversations.ts';

export type ConversationFilters = Omit<FiltersOf<typeof contracts.listConversations>, 'sort'>;

/** The filters that have their own index. Those that match the fewest conversations come first. */
export const indexedFilters = {
  campaignId: { name: 'byCampaign', attribute: 'campaignId' },
  socialAccountId: { name: 'bySocialAccount', attribute: 'socialAccountId' },
  status: { name: 'byStatus', attribute: 'status' },
  channel: { name: 'byChannel', attribute: 'channel' },
} as const satisfies Partial<Record<keyof ConversationFilters, ListIndex>>;

export type IndexedFilter = keyof typeof indexedFilters;

export const isIndexed = (field: string): field is IndexedFilter => field in indexedFilters;

/** The conversations with the value of one filter, or all. */
export function listBy(
  organizationId: string,
  filters: ConversationFilters,
  field: IndexedFilter | undefined,
): IndexedList {
  return {
    organizationId,
    kind: 'conversation',
    ...(field ? { by: { index: indexedFilters[field], value: String(filters[field]) } } : {}),
  };
}

export const nobody = 'none';

/** Returns the names of the given filters. */
export function filtersOf(filters: ConversationFilters): ReadonlyArray<keyof ConversationFilters> {
  const fields = Object.keys(filters) as Array<keyof ConversationFilters>;

  return fields.filter((field) => filters[field] !== undefined);
}

/** The fields that an index entry of a conversation may contain. */
export type ConversationRow = Partial<Conversation>;

/** Returns a function that is true for conversations that match all filters. */
export function matcherOf(
  filters: ConversationFilters,
): (conversation: ConversationRow) => boolean {
  const { assignedToId, unread, waiting, unanswered, search, ...others } = filters;
  const words = search === undefined ? undefined : wordsOf(search);
  const wanted: ReadonlyArray<readonly [unknown, (conversation: ConversationRow) => unknown]> = [
    [others.status, statusOf],
    [others.channel, ({ channel }) => channel],
    [others.controller, ({ controller }) => controller],
    [others.socialAccountId, ({ socialAccountId }) => socialAccountId],
    [others.campaignId, ({ campaignId }) => campaignId],
    [others.leadId, ({ leadId }) => leadId],
    [others.contactId, ({ leadContactId }) => leadContactId],
    [assignedToId, ({ assigneeId }) => assigneeId ?? nobody],
  ];
  const equal = wanted.filter(([value]) => value !== undefined);

  return (conversation) =>
    equal.every(([value, read]) => value === read(conversation)) &&
    (!unread || (conversation.unreadCount ?? 0) > 0) &&
    (!waiting || waitingSinceOf(conversation) !== undefined) &&
    (!unanswered || conversation.unansweredReason !== undefined) &&
    (!words || hasWords(conversation, words));
}

/** Index entries do not contain `status`, because an index of leads uses that attribute. */
function statusOf({ controller, isClosed }: ConversationRow): ConversationStatus {
  if (controller === 'HUMAN') {
    return 'PAUSED';
  }

  return isClosed ? 'CLOSED' : 'OPEN';
}

function hasWords({ words = [] }: ConversationRow, beginnings: readonly string[]): boolean {
  return (
    beginnings.length > 0 &&
    beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)))
  );
}

/** Returns the number of matching conversations from counters. Null if no counter has it. */
export async function countMatching(
  organizationId: string,
  filters: ConversationFilters,
): Promise<number | null> {
  const [field, ...others] = filtersOf(filters);
  if (field === undefined) {
    return readConversationCount(organizationId, counted.all);
  }

  return others.length === 0 ? countFiltered(organizationId, field, String(filters[field])) : null;
}

/** Returns the number of conversations that match one filter. Null if no counter has it. */
export async function countFiltered(
  organizationId: string,
  field: keyof ConversationFilters,
  value: string,
): Promise<number | null> {
  const count = (name: string, attribute?: string) =>
    readConversationCount(organizationId, name, attribute);
  switch (field) {
    case 'socialAccountId':
      return count(counted.account(value));
    case 'campaignId':
      return count(counted.campaign(value));
    case 'status':
    case 'channel':
    case 'controller':
      return count(counted.all, `${field}_${value}`);
    case 'assignedToId':
      return value === nobody
        ? (await count(counted.all)) - (await count(counted.all, 'assigned'))
        : count(counted.assignee(value));
    default:
      return null;
  }
}
