import { findOrganization } from '#lib/features/organizations/organizations.ts';
import { ticksMs, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { write } from '#lib/platform/db/write.ts';
import { rejectProblems, requireFound } from '#lib/platform/errors/failures.ts';
import {
  consume,
  type RateLimitState,
  requireAllowed,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import {
  type ChatTurn,
  generateReply,
  type Prompt,
  scoreReply,
} from '#lib/vendors/openai/ai-service.ts';
import type { Agent } from './agent.ts';
import { requireAiCalls } from './ai-budget.ts';
import { planAnswerCounts } from './answer-counts.ts';
import { lastTurns } from './last-turns.ts';
import { builtInVariables, placeholdersOf } from './placeholders.ts';
import {
  type BuiltPrompt,
  buildPrompt,
  customerTurns,
  type Knowledge,
  knowledgeTurns,
  lengthProblems,
  markedKnowledge,
  type Passage,
  type PromptContext,
} from './prompt.ts';
import type { Template } from './template.ts';
import { templateKeys } from './template-uses.ts';
import { requireTemplate } from './templates.ts';

/** Applies because a test reply is not sent, so no platform limits its length. */
const maxReplyLength = 2_000;
const defaultCustomerName = 'Customer';

type Context = Pick<PromptContext, 'organization' | 'variables'>;

/** @throws 400 if the filled-in instructions are too long. */
function promptFor(template: Template, context: Context, knowledge?: Knowledge): BuiltPrompt {
  const prompt = buildPrompt(template, { ...context, platform: '', maxReplyLength }, knowledge);
  rejectProblems(lengthProblems('variables', prompt));

  return prompt;
}

/**
 * Counts a test with valid input. Does not count rejected tests.
 *
 * @throws 429
 */
async function countTest(organizationId: string, report: ReportLimits): Promise<void> {
  const limit = await consume('aiTestOrganization', organizationId);
  report([limit]);
  requireAllowed([limit]);
}

function customerIn({ customerName = defaultCustomerName }: Readonly<Record<string, string>>) {
  return customerTurns(customerName);
}

function requireValues(template: Template, variables: Readonly<Record<string, string>>): void {
  const given = new Set([...builtInVariables, ...Object.keys(variables)]);
  const missing = placeholdersOf(template.templateContent).filter((name) => !given.has(name));
  rejectProblems(missing.map((name) => `variables.${name} is required`));
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

type ReportLimits = (states: readonly RateLimitState[]) => void;

async function answerAndScore(prompt: Prompt) {
  await requireAiCalls(prompt.organizationId, 2);
  const timeoutMs = config.ai.interactiveTimeoutMs;
  const startedAt = wholeTicksMs();
  const { reply, confidence, isCovered } = await generateReply(prompt, timeoutMs);
  const responseTime = wholeTicksMs() - startedAt;
  const scores = await scoreReply(prompt, reply, timeoutMs);

  return { reply, confidence, isCovered, responseTime, scores };
}

export type TemplateTest = {
  readonly testMessage: string;
  readonly variables: Readonly<Record<string, string>>;
};

/**
 * Generates a test reply from a template and scores it.
 *
 * @throws 404, 400 for variables without a value or a long prompt, 429, 502 if the AI service fails.
 */
export async function tryTemplate(
  organizationId: string,
  templateId: string,
  { testMessage, variables }: TemplateTest,
  reportLimits: ReportLimits,
) {
  const [template, organization] = await Promise.all([
    requireAnyTemplate(organizationId, templateId),
    findOrganization(organizationId),
  ]);
  requireValues(template, variables);
  const { instructions } = promptFor(template, { organization, variables });
  const turns = [...customerIn(variables), { role: 'user', content: testMessage }] as const;
  await countTest(organizationId, reportLimits);
  const { reply, responseTime, scores } = await answerAndScore({
    organizationId,
    instructions,
    turns,
  });
  const { relevanceScore, completenessScore, toneScore } = scores;
  await write(planAnswerCounts(organizationId, 'TEMPLATE', templateId, { tests: 1 }));

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

type TraceOptions<Found extends Passage> = {
  readonly reportLimits: ReportLimits;
  /** Finds passages for the last message, if the agent has knowledge. */
  readonly findKnowledge: () => Promise<readonly Found[] | undefined>;
};

/** Returns the reason why people would take over instead. */
function doubt(
  { minConfidence = 0 }: Agent,
  {
    confidence,
    isCovered = true,
  }: { readonly confidence: number; readonly isCovered?: boolean | undefined },
): readonly string[] {
  return [
    ...(isCovered ? [] : ['The knowledge does not contain the answer: people take over']),
    ...(confidence < minConfidence
      ? [`Confidence ${confidence} is below ${minConfidence}: people take over`]
      : []),
  ];
}

/**
 * Generates a test reply from an agent. Also returns the prompt and the duration of each step.
 *
 * @throws 400 for a long prompt, 429, 502 if the AI service fails.
 */
export async function traceAnswer<Found extends Passage>(
  agent: Agent,
  said: readonly ChatTurn[],
  { reportLimits, findKnowledge }: TraceOptions<Found>,
) {
  const startedAt = wholeTicksMs();
  const { organizationId, templateKind, promptTemplateId } = agent;
  const [template, organization] = await Promise.all([
    requireTemplate(organizationId, templateKind, promptTemplateId),
    findOrganization(organizationId),
  ]);
  const loadedAt = wholeTicksMs();
  const { variables: ownVariables = {} } = agent;
  const context = { organization, variables: ownVariables };
  const unmarked = promptFor(template, context);
  const substitutedAt = wholeTicksMs();
  await countTest(organizationId, reportLimits);
  const passages = await findKnowledge();
  const knowledge = passages && markedKnowledge(passages);
  const { instructions, variables, missing } = knowledge
    ? promptFor(template, context, knowledge)
    : unmarked;
  const kept = lastTurns(said);
  const turns = [...customerIn(ownVariables), ...knowledgeTurns(knowledge), ...kept];
  const enhancedAt = wholeTicksMs();
  const answer = await answerAndScore({
    organizationId,
    instructions,
    turns,
    asksCoverage: knowledge !== undefined,
  });
  const { reply, responseTime, scores } = answer;

  return {
    instructions,
    variables,
    reply,
    scores,
    passages: passages ?? [],
    steps: [
      `Agent "${agent.name}" is ${agent.status}`,
      `Template "${template.name}" loaded`,
      `${Object.keys(variables).length} variables filled in`,
      ...missing.map((name) => `Variable "${name}" has no value and became empty`),
      ...(passages ? [`${passages.length} passages of knowledge added`] : []),
      `${kept.length - 1} earlier messages added`,
      reply === '' ? 'The agent hands over to a person' : `Reply of ${reply.length} characters`,
      ...doubt(agent, answer),
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
