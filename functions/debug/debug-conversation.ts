import { type Agent, requireAgent } from '#lib/features/ai/agent.ts';
import { traceAnswer } from '#lib/features/ai/try-template.ts';
import {
  type FoundPassage,
  findPassages,
  maxPromptPassages,
  readNamedSources,
} from '#lib/features/knowledge/find-passages.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { debugConversation } from '#schemas/ai.ts';

async function findKnowledge(
  { organizationId, knowledgeSourceIds = [] }: Agent,
  question: string,
): Promise<readonly FoundPassage[] | undefined> {
  if (knowledgeSourceIds.length === 0) {
    return undefined;
  }
  const { passages } = await findPassages(
    organizationId,
    () => readNamedSources(organizationId, knowledgeSourceIds),
    { question, limit: maxPromptPassages, timeoutMs: config.ai.interactiveTimeoutMs },
  );

  return passages;
}

export const handler = endpoint(debugConversation, async ({ organizationId, body, reply }) => {
  const { agentId, userMessage, conversationHistory, debugOptions } = body;
  const agent = await requireAgent(organizationId, agentId);
  const history = conversationHistory ?? [];
  const said = [...history, { role: 'user', content: userMessage }] as const;
  const trace = await traceAnswer(agent, said, {
    reportLimits: reply.rateLimits,
    findKnowledge: () => findKnowledge(agent, userMessage),
  });

  return {
    debugInfo: {
      agentId,
      userMessage,
      conversationHistory: history,
      processedPrompt: debugOptions?.includePrompt ? trace.instructions : null,
      variables: debugOptions?.includeVariables ? trace.variables : null,
      passages: trace.passages,
      processingSteps: debugOptions?.includeProcessingSteps ? trace.steps : null,
      response: trace.reply,
      performance: debugOptions?.includePerformance ? trace.performance : null,
      qualityMetrics: trace.scores,
      debuggedAt: timestamp(),
    },
  };
});
