import { requireConversation } from '#lib/features/conversations/conversations.ts';
import { presentTrace, readTrace } from '#lib/features/replies/trace.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { traceConversation } from '#schemas/conversations.ts';

const shownMessages = 100;

export const handler = endpoint(traceConversation, async ({ organizationId, params }) => {
  const { conversation_id: conversationId } = params;
  const [entries] = await Promise.all([
    readTrace(organizationId, conversationId, shownMessages),
    requireConversation(organizationId, conversationId),
  ]);

  return { trace: entries.map(presentTrace), total: entries.length };
});
