import { ticksMs, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { write } from '#lib/platform/db/write.ts';
import { badRequest, requireFound } from '#lib/platform/errors/failures.ts';
import {
  type ChatTurn,
  generateReply,
  type Prompt,
  scoreReply,
} from '#lib/vendors/openai/ai-service.ts';
import type { Agent } from './agents.ts';
import { requireAiCalls } from './ai-budget.ts';
import { builtInVariables, placeholdersOf } from './placeholders.ts';
import { type BuiltPrompt, buildPrompt } from './prompt.ts';
import { templateKeys } from './template-uses.ts';
import { requireTemplate, type Template } from './templates.ts';
import { planUsageCount } from './usage.ts';

/** Applies because a test reply is not sent, so no platform limits its length. */
const maxReplyLength = 2_000;
const defaultCustomerName = 'Customer';

function promptFor(template: Template, variables: Readonly<Record<string, string>>): BuiltPrompt {
  const { customerName = defaultCustomerName } = variables;

  return buildPrompt(template, { customerName, platform: '', variables, maxReplyLength });
}

function requireValues(template: Template, variables: Readonly<Record<string, string>>): void {
  const given = new Set([...builtInVariables, ...Object.keys(variables)]);
  const missing = placeholdersOf(template.templateContent).filter((name) => !given.has(name));
  if (missing.length > 0) {
    throw badRequest(...missing.map((name) => `variables.${name} is required`));
  }
}

async function requireAnyTemplate(organizationId: string, id: string): Promise<Template> {
  const found = await getMany<Template>(templateKeys(organizationId, id));

  return requireFound(
    found.find((one) => one !== undefined),
    'Prompt template',
  );
}

function roundedScore(value: number): number {
  return Number(value.toFixed(2));
}

const wholeTicksMs = () => Math.round(ticksMs());

async function answerAndScore(organizationId: string, prompt: Prompt) {
  await requireAiCalls(organizationId, 2);
  const timeoutMs = config.ai.interactiveTimeoutMs;
  const startedAt = wholeTicksMs();
  const { reply } = await generateReply(prompt, timeoutMs);
  const responseTime = wholeTicksMs() - startedAt;
  const scores = await scoreReply(prompt, reply, timeoutMs);

  return { reply, responseTime, scores };
}

/**
 * Generates a test reply from a template and scores it.
 *
 * @throws 404, 400 for variables without a value, 502 if the AI service fails.
 */
export async function tryTemplate(
  organizationId: string,
  templateId: string,
  testMessage: string,
  variables: Readonly<Record<string, string>>,
) {
  const template = await requireAnyTemplate(organizationId, templateId);
  requireValues(template, variables);
  const { instructions } = promptFor(template, variables);
  const turns = [{ role: 'user', content: testMessage }] as const;
  const { reply, responseTime, scores } = await answerAndScore(organizationId, {
    instructions,
    turns,
  });
  const { relevanceScore, completenessScore, toneScore } = scores;
  await write(planUsageCount(organizationId, 'TEMPLATE', templateId, { tests: 1 }));

  return {
    templateId,
    testMessage,
    variables,
    response: reply,
    responseTime,
    qualityScore: roundedScore((relevanceScore + completenessScore + toneScore) / 3),
    testedAt: timestamp(),
  };
}

/** Generates a test reply from an agent. Also returns the prompt and the duration of each step. */
export async function traceAnswer(agent: Agent, userMessage: string, history: readonly ChatTurn[]) {
  const startedAt = wholeTicksMs();
  const { organizationId, templateKind, promptTemplateId } = agent;
  const template = await requireTemplate(organizationId, templateKind, promptTemplateId);
  const loadedAt = wholeTicksMs();
  const { instructions, variables, missing } = promptFor(template, agent.variables ?? {});
  const substitutedAt = wholeTicksMs();
  const turns: readonly ChatTurn[] = [...history, { role: 'user', content: userMessage }];
  const enhancedAt = wholeTicksMs();
  const { reply, responseTime, scores } = await answerAndScore(organizationId, {
    instructions,
    turns,
  });

  return {
    instructions,
    variables,
    reply,
    scores,
    steps: [
      `Agent "${agent.name}" is ${agent.status}`,
      `Template "${template.name}" loaded`,
      `${Object.keys(variables).length} variables filled in`,
      ...missing.map((name) => `Variable "${name}" has no value and became empty`),
      `${history.length} earlier messages added`,
      reply === '' ? 'The agent hands over to a person' : `Reply of ${reply.length} characters`,
    ],
    performance: {
      totalTime: wholeTicksMs() - startedAt,
      templateLoadTime: loadedAt - startedAt,
      variableSubstitutionTime: substitutedAt - loadedAt,
      contextEnhancementTime: enhancedAt - substitutedAt,
      aiGenerationTime: responseTime,
    },
  };
}
