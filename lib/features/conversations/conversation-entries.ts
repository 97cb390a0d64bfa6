import { timestamp } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { change, discard, put, type Write } from '#lib/platform/db/write.ts';
import { wordsOf } from '#lib/platform/words.ts';
import { isMetaPlatform } from '#schemas/platforms.ts';
import type { Conversation } from './conversation.ts';

/** An entry of a list by which conversations are found: by contact, or by word. */
export type ConversationEntry = { readonly conversationId: string };

const wordsPerConversation = 12;

/**
 * Returns the words by which a conversation is found: the words of the customer's name and
 * username.
 */
export function customerWords({ customer }: Pick<Conversation, 'customer'>): readonly string[] {
  const { id, name, username = '' } = customer;
  const words = [name || id, username].flatMap(wordsOf);

  return [...new Set(words)].slice(0, wordsPerConversation);
}

function entryKeys(conversation: Conversation | undefined): readonly Key[] {
  if (!conversation) {
    return [];
  }
  const { organizationId, id, leadContactId, platform, customer } = conversation;

  return [
    ...customerWords(conversation).map((word) =>
      socialKeys.conversationWord(organizationId, word, id),
    ),
    ...(leadContactId ? [leadKeys.contactConversation(organizationId, leadContactId, id)] : []),
    ...(isMetaPlatform(platform)
      ? [socialKeys.customerConversation(platform, customer.id, organizationId, id)]
      : []),
  ];
}

/**
 * Plans the entries of a changed conversation, or of a removed one. Entries only help to find it: the record decides
 * whether it matches, so an outdated entry is harmless.
 */
export function planConversationEntries(
  before: Conversation | undefined,
  after: Conversation | undefined,
): readonly Write[] {
  const isAmong = (some: readonly Key[]) => (key: Key) =>
    some.some(({ pk, sk }) => pk === key.pk && sk === key.sk);
  const [was, is] = [entryKeys(before), entryKeys(after)];
  const [isWas, isIs] = [isAmong(was), isAmong(is)];
  const added = is.filter((key) => !isWas(key));

  return [
    ...was.filter((key) => !isIs(key)).map(discard),
    ...(after
      ? added.map((key) => put(key, { conversationId: after.id } satisfies ConversationEntry))
      : []),
    ...planUnansweredEntry(before, after),
  ];
}

/**
 * Contains what is needed to decide who gets a mail about the conversation. Due until that is
 * decided.
 */
export type UnansweredEntry = ConversationEntry &
  Pick<Conversation, 'assigneeId' | 'mailedTo' | 'duePk' | 'dueAt'> & { readonly since: string };

/** The list of unanswered conversations contains exactly those with an `unansweredReason`. */
function planUnansweredEntry(
  before: Conversation | undefined,
  after: Conversation | undefined,
): readonly Write[] {
  const conversation = after ?? before;
  const [isWas, isIs] = [before, after].map((one) => one?.unansweredReason !== undefined);
  if (!conversation || !(isWas || isIs)) {
    return [];
  }
  const { organizationId, id, assigneeId, mailedTo, unansweredSince } = conversation;
  const key = socialKeys.unansweredConversation(organizationId, id);
  if (!isIs) {
    return [discard(key)];
  }
  const isDue = !isWas || before?.assigneeId !== assigneeId;
  if (!isDue && before?.mailedTo === mailedTo) {
    return [];
  }

  return [
    change(key, {
      set: {
        conversationId: id,
        assigneeId: assigneeId ?? null,
        mailedTo: mailedTo ?? null,
        ...(isWas ? {} : { since: unansweredSince }),
        ...(isDue ? dueIn('UNANSWERED', timestamp(), id) : {}),
      },
      orCreate: true,
    }),
  ];
}

/** Returns the conversations with these ids, in the same order. Skips those that do not exist. */
export async function readConversations(
  organizationId: string,
  places: ReadonlyArray<{ readonly id: string }>,
): Promise<readonly Conversation[]> {
  const found = await getMany<Conversation>(
    places.map(({ id }) => socialKeys.conversation(organizationId, id)),
  );

  return found.filter((conversation) => conversation !== undefined);
}
