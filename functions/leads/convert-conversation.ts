import { presentReadContact } from '#lib/features/leads/contacts/contacts.ts';
import { convertConversation } from '#lib/features/leads/convert-conversation.ts';
import { linkLead } from '#lib/features/leads/linked-leads.ts';
import { requirePipeline } from '#lib/features/leads/pipelines/pipelines.ts';
import { requireConversation } from '#lib/features/social/conversations/conversations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.convertConversation,
  async ({ organizationId, body, once }) => {
    const { conversationId, ...details } = body;
    const { lead, contact } = await once((alongside) =>
      convertConversation(organizationId, conversationId, details, alongside),
    );

    return {
      lead: await linkLead(organizationId, lead),
      contact: await presentReadContact(contact),
    };
  },
  {
    ahead: ({ organizationId, body }) =>
      Promise.all([
        requireConversation(organizationId, body.conversationId),
        requirePipeline(organizationId, body.pipelineId),
      ]),
  },
);
