import { endpoint } from '#lib/http/endpoint.ts';
import { convertConversation as makeLead } from '#lib/leads/convert-conversation.ts';
import { linkLead } from '#lib/leads/linked-leads.ts';
import { requirePipeline } from '#lib/leads/pipelines/pipelines.ts';
import { requireConversation } from '#lib/social/conversations/conversations.ts';
import { convertConversation } from '#schemas/leads.ts';

export const handler = endpoint(
  convertConversation,
  async ({ organizationId, body, once }) => {
    const { conversationId, ...details } = body;
    const { lead, contact } = await once((alongside) =>
      makeLead(organizationId, conversationId, details, alongside),
    );

    return {
      lead: await linkLead(organizationId, lead),
      contact,
      message: 'Conversation converted to a lead successfully',
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
