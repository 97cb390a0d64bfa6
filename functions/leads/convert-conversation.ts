import { presentReadContact } from '#lib/features/leads/contacts/contacts.ts';
import { convertConversation } from '#lib/features/leads/convert-conversation.ts';
import { linkLead } from '#lib/features/leads/linked-leads.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.convertConversation,
  async ({ organizationId, body, idempotently }) => {
    const { conversationId, ...details } = body;
    const { lead, contact } = await idempotently((extraWrites) =>
      convertConversation(organizationId, conversationId, details, extraWrites),
    );

    return {
      lead: await linkLead(organizationId, lead),
      contact: await presentReadContact(contact),
    };
  },
);
