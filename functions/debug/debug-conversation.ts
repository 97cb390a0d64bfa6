import { requireAgent } from '#lib/features/ai/agents.ts';
import { traceAnswer } from '#lib/features/ai/try-template.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { debugConversation } from '#schemas/ai.ts';

export const handler = endpoint(
  debugConversation,
  async ({ organizationId, body, reply }) => {
    const { agentId, userMessage, conversationHistory, debugOptions } = body;
    const agent = await requireAgent(organizationId, agentId);
    const history = conversationHistory ?? [];
    const said = [...history, { role: 'user', content: userMessage }] as const;
    const trace = await traceAnswer(agent, said, reply.rateLimits);

    return {
      debugInfo: {
        agentId,
        userMessage,
        conversationHistory: history,
        processedPrompt: debugOptions?.includePrompt ? trace.instructions : null,
        variables: debugOptions?.includeVariables ? trace.variables : null,
        processingSteps: debugOptions?.includeProcessingSteps ? trace.steps : null,
        response: trace.reply,
        performance: debugOptions?.includePerformance ? trace.performance : null,
        qualityMetrics: trace.scores,
        debuggedAt: timestamp(),
      },
    };
  },
  { ahead: ({ organizationId, body }) => requireAgent(organizationId, body.agentId) },
);
