import { type Conversation, isNamed } from '#lib/features/conversations/conversation.ts';
import {
  findConversation,
  planConversationChange,
} from '#lib/features/conversations/conversations.ts';
import { findSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { definedFields } from '#lib/platform/compact.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { write } from '#lib/platform/db/write.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import type { Person } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { lookupsOf } from '#lib/vendors/networks/ports/lookups.ts';
import { listConversationsOf } from './opt-out.ts';
import { cleanPerson, withoutStandIn } from './person.ts';

/**
 * Finds the name of a conversation's customer, and stores it in all conversations of the customer
 * with the account. Asks the network if no event contained the name. Returns the conversation with
 * the name, or undefined if nobody knows it.
 */
export async function lookUpCustomer({
  payload: { organizationId, conversationId },
}: Pick<WorkRequest<'customerProfile'>, 'payload'>): Promise<Conversation | undefined> {
  const conversation = await findConversation(organizationId, conversationId);
  if (!conversation) {
    return undefined;
  }
  const [asked, all] = await Promise.all([
    askNetwork(conversation),
    listConversationsOf(conversation),
  ]);
  const known = [asked, ...all.map(({ customer }) => customer)];
  const person = known.find((one) => one !== undefined && isNamed(one));
  if (!person) {
    return undefined;
  }
  for (const one of all) {
    await record(one, person);
  }

  return { ...conversation, customer: { ...conversation.customer, name: person.name } };
}

/** Only customers who sent private messages can be looked up. */
async function askNetwork(conversation: Conversation): Promise<Person | undefined> {
  const { organizationId, socialAccountId, channel, customer } = conversation;
  if (channel !== 'DIRECT_MESSAGE' || isNamed(customer)) {
    return undefined;
  }
  const account = await findSocialAccount(organizationId, socialAccountId);
  const profile =
    account &&
    (await withMessagingToken(account, async (credentials) =>
      lookupsOf(account.platform).fetchProfile?.(credentials, customer.id),
    ).catch(ignoreRejection));
  const person = profile && cleanPerson({ ...profile, id: customer.id });

  return person && { ...person, name: person.name || (person.username ?? '') };
}

/** The id replaces a name that the network does not reveal. */
function ignoreRejection(failure: unknown): undefined {
  if (
    failure instanceof NetworkError &&
    failure.kind !== 'unavailable' &&
    failure.kind !== 'rateLimited'
  ) {
    return undefined;
  }
  throw failure;
}

/** Adds details of the customer that the conversation lacks. */
async function record({ organizationId, id }: Conversation, person: Person): Promise<void> {
  const { name, username, avatarUrl } = person;
  await retryWhenOvertaken('conversation', async () => {
    const before = await findConversation(organizationId, id);
    const customer = before && {
      ...before.customer,
      ...definedFields({ name, username, avatarUrl }),
      ...withoutStandIn(before.customer),
    };
    if (before && customer && changesSomething(before.customer, customer)) {
      await write(
        ...planConversationChange(before, { ...before, customer, updatedAt: timestamp() }),
      );
    }
  });
}
