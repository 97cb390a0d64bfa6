import { findSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { cutToLength, oneLine, storableText } from '#lib/platform/characters.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { write } from '#lib/platform/db/write.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import type { CustomerProfile } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { maxLength } from '#schemas/common.ts';
import { type Conversation, isNamed } from './conversation.ts';
import { findConversation, planConversationChange } from './conversations.ts';

const maxUrlLength = 2_048;

/**
 * Looks up the customer of a conversation whose name the network did not send. Returns the changed
 * conversation, or undefined if the network rejects the look-up.
 */
export async function lookUpCustomer({
  payload: { organizationId, conversationId },
}: Pick<WorkRequest<'customerProfile'>, 'payload'>): Promise<Conversation | undefined> {
  const conversation = await findConversation(organizationId, conversationId);
  const account = conversation && (await findSocialAccount(organizationId, conversation.accountId));
  if (!conversation || !account || isNamed(conversation.customer)) {
    return conversation;
  }
  const profile = await withMessagingToken(account, async (network, credentials) =>
    network.fetchProfile?.(credentials, conversation.customer.id),
  ).catch(ignoreRejection);

  return profile && record(conversation, profile);
}

/** The id stands in for a name that the network does not reveal. */
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

function record(
  { organizationId, id }: Conversation,
  { name, username, avatarUrl }: CustomerProfile,
): Promise<Conversation | undefined> {
  const clean = (text: string) => cutToLength(oneLine(storableText(text)), maxLength.name).trim();

  return retryWhenOvertaken('conversation', async () => {
    const before = await findConversation(organizationId, id);
    const found = clean(name) || clean(username ?? '');
    if (!before || found === '') {
      return before;
    }
    const customer = {
      ...before.customer,
      ...(isNamed(before.customer) ? {} : { name: found }),
      ...(username === undefined ? {} : { username: clean(username) }),
      ...(isWebAddress(avatarUrl) ? { avatarUrl } : {}),
    };
    const after = { ...before, customer, updatedAt: timestamp() };
    await write(...planConversationChange(before, after));

    return after;
  });
}

function isWebAddress(url: string | undefined): url is string {
  return (
    url !== undefined &&
    url.length <= maxUrlLength &&
    URL.canParse(url) &&
    ['https:', 'http:'].includes(new URL(url).protocol)
  );
}
