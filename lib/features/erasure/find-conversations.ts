import type { Conversation } from '#lib/features/conversations/conversation.ts';
import {
  type ConversationEntry,
  readConversations,
} from '#lib/features/conversations/conversation-entries.ts';
import { type Contact, findContactByEmail } from '#lib/features/leads/contacts/contacts.ts';
import type { Lead } from '#lib/features/leads/lead.ts';
import { leadKeys, leadRanges } from '#lib/platform/db/keys/leads.ts';
import { platformOfFormerAccount, socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import { channels } from '#schemas/platforms.ts';
import { type NetworkCustomer, standInOf } from './person-scope.ts';

/** Returns the leads of a contact. */
export async function findLeadsOf(
  organizationId: string,
  contactId: string,
): Promise<readonly Lead[]> {
  const claims = await query<{ readonly leadId: string }>(
    leadRanges.leadClaims(organizationId, contactId),
  );
  const leads = await getMany<Lead>(
    claims.map(({ leadId }) => leadKeys.lead(organizationId, leadId)),
  );

  return leads.filter((lead) => lead !== undefined);
}

/** Returns the conversations that belong to a contact, directly or through one of its leads. */
export async function findConversationsOfContact(
  organizationId: string,
  contactId: string,
  leads: readonly Lead[],
): Promise<readonly Conversation[]> {
  const entries = await query<ConversationEntry>(
    leadRanges.contactConversations(organizationId, contactId),
  );
  const ids = new Set([
    ...entries.map(({ conversationId }) => conversationId),
    ...leads.flatMap(({ conversationId }) => conversationId ?? []),
  ]);
  const found = await readConversations(
    organizationId,
    [...ids].map((id) => ({ id })),
  );

  return found.filter((one) => one.leadContactId === undefined || one.leadContactId === contactId);
}

/**
 * Finds the conversations of network customers with any account of the organization, connected or
 * not.
 */
export async function findConversationsOf(
  organizationId: string,
  customers: readonly NetworkCustomer[],
): Promise<readonly Conversation[]> {
  if (customers.length === 0) {
    return [];
  }
  const accounts = await listAccounts(organizationId);
  const claims = await getMany<ConversationEntry>(
    customers.flatMap((customer) =>
      accounts
        .filter(({ platform }) => platform === customer.platform)
        .flatMap(({ id }) =>
          channels.map((channel) =>
            socialKeys.conversationClaim(organizationId, id, channel, customer.id),
          ),
        ),
    ),
  );

  return readConversations(
    organizationId,
    claims.flatMap((claim) => (claim ? [{ id: claim.conversationId }] : [])),
  );
}

/**
 * Returns the contact of a network customer, if there is one. `conversations` are the customer's
 * conversations.
 */
export async function findContactOf(
  organizationId: string,
  customer: NetworkCustomer,
  conversations: readonly Conversation[],
): Promise<Contact | undefined> {
  const known = await findContactByEmail(organizationId, standInOf(customer));
  const linkedId = conversations.find(
    ({ leadContactId }) => leadContactId !== undefined,
  )?.leadContactId;

  return known ?? (linkedId ? get<Contact>(leadKeys.contact(organizationId, linkedId)) : undefined);
}

export function customerOf({ platform, customer }: Conversation): NetworkCustomer {
  return { platform, id: customer.id };
}

type Account = { readonly id: string; readonly platform: string };

async function listAccounts(organizationId: string): Promise<readonly Account[]> {
  const [accounts, former] = await Promise.all([
    query<Account>(socialRanges.socialAccounts(organizationId)),
    query<{ readonly accountId: string }>(socialRanges.formerSocialAccounts(organizationId)),
  ]);
  const all = [
    ...accounts.map(({ id, platform }) => ({ id, platform })),
    ...former.map((item) => ({ id: item.accountId, platform: platformOfFormerAccount(item) })),
  ];

  return [...new Map(all.map((account) => [account.id, account])).values()];
}
