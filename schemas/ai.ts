import {
  id,
  isTimeZoneName,
  maxLength,
  name,
  optional,
  optionalPaginationQuery,
  orNull,
  pagination,
  paginationQuery,
  queryBoolean,
  text,
  timeOfDay,
  timestamp,
} from './common.ts';
import { contract, memberOfCurrent, memberOfPath } from './contract.ts';
import { knowledgeSourceId, passage } from './knowledge.ts';
import { channel, channels } from './platforms.ts';
import * as z from './zod.ts';

const organizationId = id('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b');
const agentId = id('0192f0c4-3c4d-7586-97a8-4d5e6f708192');
const templateId = id('0192f0c4-3c4e-7697-88b9-5e6f708192a3');

const agentStatuses = ['ACTIVE', 'PAUSED', 'INACTIVE', 'TESTING'] as const;
export type AgentStatus = (typeof agentStatuses)[number];

const agentStatus = z.enum(agentStatuses).meta({ example: 'ACTIVE' });
const maxDelaySeconds = 86_400;
const maxListed = 50;

const description = text({
  max: maxLength.description,
  example: 'Answers questions about engines',
});
const count = z.int().min(0).meta({ example: 0 });
const average = z.number().min(0).meta({ example: 0 });
const autoResponse = z.boolean().meta({ example: true });
const responseDelay = z
  .int()
  .min(0)
  .max(maxDelaySeconds)
  .meta({ example: 0, description: 'Seconds' });
const maxResponsesPerConversation = z.int().min(1).max(1_000).meta({ example: 10 });

/** Hours that end before they start span midnight. Equal times mean the whole day. */
const businessHours = z
  .object({
    start: timeOfDay('09:00'),
    end: timeOfDay('17:30'),
    timezone: text({ min: 1, max: 64, example: 'Europe/London' }).refine(isTimeZoneName, {
      error: 'must be an IANA time zone name',
    }),
  })
  .meta({ id: 'BusinessHours' });

export type BusinessHours = z.output<typeof businessHours>;

/** The limit per set. A campaign has three sets and must fit into one DynamoDB item. */
const maxVariablesLength = 20_000;

/** Values of a template's own variables, by name. */
export const templateVariables = z
  .record(name({ max: 50, example: 'discount' }), text({ max: 1_000, example: '10 %' }))
  .meta({ id: 'TemplateVariables', example: { discount: '10 %' } });

export const newTemplateVariables = templateVariables
  .refine((variables) => Object.keys(variables).length <= maxListed, {
    error: `must not have more than ${maxListed} variables`,
  })
  .refine((variables) => JSON.stringify(variables).length <= maxVariablesLength, {
    error: 'must not exceed 20,000 characters as JSON',
  })
  .meta({
    id: 'NewTemplateVariables',
    example: { discount: '10 %' },
    description: `At most ${maxListed} variables and 20,000 characters as JSON`,
  });

/** Limits the sources, so that one transaction can reference all of them and create the agent. */
export const maxKnowledgeSources = 50;

const knowledgeSourceIds = z
  .array(knowledgeSourceId)
  .max(maxKnowledgeSources)
  .refine((given) => new Set(given).size === given.length, {
    error: 'must not contain duplicate ids',
  })
  .meta({
    example: ['0192f0c9-5f6a-7b7c-8d8e-9f0a1b2c3d4e'],
    description: 'Replies use the passages of these sources that fit best. Null: none',
  });
const minConfidence = z.number().min(0).max(1).meta({
  example: 0.6,
  description: 'Less confident replies are not sent: people take over. Null: no limit',
});

const agent = z
  .object({
    id: agentId,
    organizationId,
    name: z.string().meta({ example: 'Engine expert' }),
    description: orNull(description),
    promptTemplateId: templateId,
    channels: z.array(channel),
    autoResponse,
    responseDelay,
    maxResponsesPerConversation,
    businessHoursOnly: z.boolean().meta({ example: false }),
    businessHours: orNull(businessHours),
    variables: orNull(templateVariables),
    knowledgeSourceIds: orNull(z.array(knowledgeSourceId)),
    minConfidence: orNull(minConfidence),
    status: agentStatus,
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'AiAgent' });

const listedAgent = agent
  .extend({
    conversationCount: count,
    averageResponseTime: average.meta({ example: 1.5, description: 'Seconds' }),
    satisfactionScore: average.meta({ example: 4.5, description: 'Average rating, 1 to 5' }),
  })
  .meta({ id: 'AiAgentWithStatistics' });

const inOrganization = z.object({ organization_id: organizationId });

const reads = memberOfPath('VIEWER');
const writes = memberOfPath('MEMBER');
const administers = memberOfPath('ADMIN');

const agentName = name({ example: 'Engine expert' });
const someChannels = z
  .array(channel)
  .max(channels.length)
  .refine((given) => given.length > 0, {
    error: 'must contain at least one valid channel type',
  })
  .refine((given) => new Set(given).size === given.length, {
    error: 'must not contain duplicate channels',
  })
  .meta({ example: ['COMMENT', 'DIRECT_MESSAGE'] });

export const createAgent = contract({
  operationId: 'createAgent',
  method: 'POST',
  path: '/ai/agents/{organization_id}',
  specified: true,
  summary: 'Create an AI agent',
  description:
    'The agent replies on the given channels, using a prompt template. It is active immediately.',
  access: writes,
  body: z.object({
    name: agentName,
    description: optional(description),
    promptTemplateId: templateId,
    channels: someChannels,
    autoResponse: optional(autoResponse),
    responseDelay: optional(responseDelay),
    maxResponsesPerConversation: optional(maxResponsesPerConversation),
    businessHoursOnly: optional(z.boolean().meta({ example: false })),
    businessHours: optional(businessHours),
    variables: optional(newTemplateVariables),
    knowledgeSourceIds: optional(knowledgeSourceIds),
    minConfidence: optional(minConfidence),
  }),
  status: 201,
  response: z.object({ aiAgent: agent }),
  message: 'AI agent created successfully',
  errors: [
    'PROMPT_TEMPLATE_NOT_FOUND',
    'KNOWLEDGE_SOURCE_NOT_FOUND',
    'AGENT_NAME_EXISTS',
    'QUOTA_EXCEEDED',
  ],
});

export const listAgents = contract({
  operationId: 'listAgents',
  path: '/ai/agents/{organization_id}',
  specified: true,
  summary: 'List AI agents, newest first',
  tool: true,
  description:
    'Without `page`, `limit` and `cursor`, returns all agents, or as many as fit into 6 MB: `pagination.nextCursor` then continues the list.',
  access: reads,
  query: z.object({
    status: agentStatus.optional(),
    channel: channel.optional(),
    ...optionalPaginationQuery,
  }),
  response: z.object({
    aiAgents: z.array(listedAgent),
    total: count,
    pagination: pagination.extend({
      limit: z
        .int()
        .min(0)
        .meta({ example: 10, description: 'Without pages: the number of agents shown' }),
    }),
  }),
  message: 'AI agents retrieved successfully',
});

export const getAgent = contract({
  operationId: 'getAgent',
  path: '/ai/agents/{organization_id}/{agent_id}',
  summary: 'Get an AI agent',
  access: reads,
  response: z.object({ aiAgent: listedAgent }),
  message: 'AI agent retrieved successfully',
  errors: ['AI_AGENT_NOT_FOUND'],
});

export const updateAgent = contract({
  operationId: 'updateAgent',
  method: 'PATCH',
  path: '/ai/agents/{organization_id}/{agent_id}',
  specified: true,
  summary: 'Update an AI agent',
  access: writes,
  body: z.object({
    name: agentName.optional(),
    description: description.nullish(),
    promptTemplateId: templateId.optional(),
    channels: someChannels.optional(),
    autoResponse: autoResponse.optional(),
    responseDelay: responseDelay.optional(),
    maxResponsesPerConversation: maxResponsesPerConversation.optional(),
    businessHoursOnly: z.boolean().optional().meta({ example: false }),
    businessHours: businessHours.nullish(),
    variables: newTemplateVariables.nullish(),
    knowledgeSourceIds: knowledgeSourceIds.nullish(),
    minConfidence: minConfidence.nullish(),
    status: agentStatus.optional(),
  }),
  response: z.object({ aiAgent: agent }),
  message: 'AI agent updated successfully',
  errors: [
    'AI_AGENT_NOT_FOUND',
    'PROMPT_TEMPLATE_NOT_FOUND',
    'KNOWLEDGE_SOURCE_NOT_FOUND',
    'AGENT_NAME_EXISTS',
  ],
});

export const deleteAgent = contract({
  operationId: 'deleteAgent',
  method: 'DELETE',
  path: '/ai/agents/{organization_id}/{agent_id}',
  specified: true,
  summary: 'Delete an AI agent permanently',
  access: administers,
  message: 'AI agent deleted successfully',
  errors: ['AI_AGENT_NOT_FOUND'],
});

const variableName = text({ max: 50, example: 'discount' }).refine(
  (value) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(value),
  { error: 'must contain only letters, digits and underscores' },
);

const shortText = (example: string) => text({ max: maxLength.name, example });
const words = (example: string) => z.array(shortText(example)).max(maxListed);

const templateContent = text({
  min: 1,
  max: maxLength.notes,
  example: 'You answer for {{companyName}} in a {{tone}} tone. Today there is {{discount}} off.',
  description: 'Placeholders have the form `{{name}}`.',
});
const inputVariables = z
  .array(variableName)
  .max(maxListed)
  .refine((given) => new Set(given).size === given.length, {
    error: 'must not contain duplicate names',
  })
  .meta({ example: ['discount'] });

const interactiveBusinessInfo = z.object({
  companyName: optional(shortText('Analytical Engines')),
  industry: optional(shortText('Computing')),
});
const businessInfo = interactiveBusinessInfo.extend({
  products: optional(words('Difference engine')),
  services: optional(words('Calculation')),
});
const language = text({ max: 30, example: 'en' }).refine(
  (value) => /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(value),
  { error: 'must be a language code' },
);
const personalitySettings = z.object({
  tone: optional(shortText('friendly')),
  style: optional(shortText('concise')),
  expertise: optional(shortText('engines')),
  language: optional(language),
});

const shownBusinessInfo = z.object({
  companyName: orNull(shortText('Analytical Engines')),
  industry: orNull(shortText('Computing')),
  products: z.array(shortText('Difference engine')),
  services: z.array(shortText('Calculation')),
});
const shownPersonality = z.object({
  tone: orNull(shortText('friendly')),
  style: orNull(shortText('concise')),
  expertise: orNull(shortText('engines')),
  language: orNull(language),
});

const templateCommon = {
  id: templateId,
  organizationId,
  name: z.string().meta({ example: 'Sales' }),
  description: orNull(description),
  templateContent: z.string().meta({ example: 'You answer for {{companyName}}.' }),
  inputVariables: z.array(variableName),
};
const templateEnd = {
  isActive: z.boolean().meta({ example: true }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
};

const promptTemplate = z
  .object({
    ...templateCommon,
    businessInfo: shownBusinessInfo,
    personalitySettings: shownPersonality,
    usageCount: count,
    testCount: count,
    ...templateEnd,
  })
  .meta({ id: 'PromptTemplate' });

const templateName = name({ example: 'Sales' });
const isActive = z.boolean().meta({
  example: true,
  description:
    'A/B tests do not assign inactive variants to conversations. Agents and campaigns that name an inactive template still use it. Pause them to stop replies.',
});

const templateBody = {
  description: optional(description),
  inputVariables: optional(inputVariables),
  isActive: optional(isActive),
};

export const createPromptTemplate = contract({
  operationId: 'createPromptTemplate',
  method: 'POST',
  path: '/ai/templates/{organization_id}',
  specified: true,
  summary: 'Create a prompt template',
  description:
    'Each placeholder must be one of `inputVariables` or a built-in variable: companyName, industry, products, services, tone, style, expertise, language, customerName, platform, currentDate.',
  access: writes,
  body: z.object({
    name: templateName,
    templateContent,
    ...templateBody,
    businessInfo: optional(businessInfo),
    personalitySettings: optional(personalitySettings),
  }),
  status: 201,
  response: z.object({ promptTemplate }),
  message: 'Prompt template created successfully',
  errors: ['TEMPLATE_NAME_EXISTS', 'QUOTA_EXCEEDED'],
});

export const listPromptTemplates = contract({
  operationId: 'listPromptTemplates',
  path: '/ai/templates/{organization_id}',
  specified: true,
  summary: 'List prompt templates, newest first',
  tool: true,
  access: reads,
  query: z.object({
    isActive: queryBoolean.optional(),
    search: text({ max: maxLength.name, example: 'sales' }).optional(),
    ...paginationQuery,
  }),
  response: z.object({
    promptTemplates: z.array(promptTemplate),
    pagination,
  }),
  message: 'Prompt templates retrieved successfully',
});

export const getPromptTemplate = contract({
  operationId: 'getPromptTemplate',
  path: '/ai/templates/{organization_id}/{template_id}',
  summary: 'Get a prompt template',
  access: reads,
  response: z.object({ promptTemplate }),
  message: 'Prompt template retrieved successfully',
  errors: ['PROMPT_TEMPLATE_NOT_FOUND'],
});

export const updatePromptTemplate = contract({
  operationId: 'updatePromptTemplate',
  method: 'PATCH',
  path: '/ai/templates/{organization_id}/{template_id}',
  summary: 'Update a prompt template',
  description:
    '`businessInfo` and `personalitySettings`, if given, replace the previous values as a whole.',
  access: writes,
  body: z.object({
    name: templateName.optional(),
    description: description.nullish(),
    templateContent: templateContent.optional(),
    inputVariables: inputVariables.nullish(),
    businessInfo: businessInfo.nullish(),
    personalitySettings: personalitySettings.nullish(),
    isActive: isActive.optional(),
  }),
  response: z.object({ promptTemplate }),
  message: 'Prompt template updated successfully',
  errors: ['PROMPT_TEMPLATE_NOT_FOUND', 'TEMPLATE_NAME_EXISTS'],
});

export const deletePromptTemplate = contract({
  operationId: 'deletePromptTemplate',
  method: 'DELETE',
  path: '/ai/templates/{organization_id}/{template_id}',
  summary: 'Delete a prompt template',
  description: 'Returns 409 if an agent or a campaign uses the template.',
  access: writes,
  message: 'Prompt template deleted successfully',
  errors: ['PROMPT_TEMPLATE_NOT_FOUND', 'IN_USE'],
});

const testMessage = text({ min: 1, max: maxLength.notes, example: 'What does an engine cost?' });
const score = z.number().min(0).max(1).meta({ example: 0.9 });
const milliseconds = z.number().min(0).meta({ example: 850, description: 'Milliseconds' });

export const testPromptTemplate = contract({
  operationId: 'testPromptTemplate',
  method: 'POST',
  path: '/ai/templates/{template_id}/test',
  specified: true,
  summary: 'Test a prompt template with a sample message',
  description:
    'The template must belong to the current organization. Sends nothing and uses no credits.',
  access: memberOfCurrent('MEMBER'),
  body: z.object({ testMessage, variables: optional(newTemplateVariables) }),
  response: z.object({
    testResult: z.object({
      templateId,
      testMessage,
      variables: templateVariables,
      response: z.string().meta({ example: 'Thank you for asking!' }),
      responseTime: milliseconds,
      qualityScore: score,
      testedAt: timestamp(),
    }),
  }),
  message: 'Template tested successfully',
  errors: ['PROMPT_TEMPLATE_NOT_FOUND', 'AI_SERVICE_UNAVAILABLE'],
  rateLimit: 'aiTest',
  countedInHandler: ['aiTestOrganization'],
  idempotent: false,
});

const abTestVariant = z.object({
  variant: name({ max: 50, example: 'A' }),
  testId: name({ example: 'greeting-2026' }),
  weight: z.number().min(0).max(1_000).meta({ example: 0.5 }),
  optimize: z.boolean().default(false).meta({
    example: false,
    description: 'If all active variants set it, better ones get more conversations',
  }),
});

const interactiveTemplate = z
  .object({
    ...templateCommon,
    businessInfo: shownBusinessInfo.pick({ companyName: true, industry: true }),
    abTestVariant: orNull(abTestVariant),
    ...templateEnd,
  })
  .meta({ id: 'InteractiveTemplate' });

const listedInteractiveTemplate = interactiveTemplate
  .extend({
    usageCount: count,
    performance: z.object({
      averageResponseTime: average.meta({ example: 1.5, description: 'Seconds' }),
      satisfactionScore: average.meta({ example: 4.5, description: 'Average rating, 1 to 5' }),
      conversionRate: average.meta({ example: 12.5, description: 'Percent, 0 to 100' }),
    }),
  })
  .meta({ id: 'InteractiveTemplateWithStatistics' });

export const createInteractiveTemplate = contract({
  operationId: 'createInteractiveTemplate',
  method: 'POST',
  path: '/ai/interactive-templates/{organization_id}',
  specified: true,
  summary: 'Create an interactive template, such as a variant of an A/B test',
  description:
    'Each conversation is assigned one of the active variants of its `testId`, by weight, and keeps it. With `optimize`, from 100 conversations per variant on, better variants get more of them. Without `templateContent`, replies use only the business information.',
  access: writes,
  body: z.object({
    name: templateName,
    templateContent: optional(templateContent),
    ...templateBody,
    businessInfo: optional(interactiveBusinessInfo),
    abTestVariant: optional(abTestVariant),
  }),
  status: 201,
  response: z.object({ interactiveTemplate }),
  message: 'Interactive template created successfully',
  errors: ['TEMPLATE_NAME_EXISTS', 'QUOTA_EXCEEDED'],
});

export const listInteractiveTemplates = contract({
  operationId: 'listInteractiveTemplates',
  path: '/ai/interactive-templates/{organization_id}',
  specified: true,
  summary: 'List interactive templates, newest first',
  access: reads,
  query: z.object({
    testId: text({ max: maxLength.name, example: 'greeting-2026' }).optional(),
    isActive: queryBoolean.optional(),
  }),
  response: z.object({
    interactiveTemplates: z.array(listedInteractiveTemplate),
    total: count,
  }),
  message: 'Interactive templates retrieved successfully',
});

export const getInteractiveTemplate = contract({
  operationId: 'getInteractiveTemplate',
  path: '/ai/interactive-templates/{organization_id}/{template_id}',
  summary: 'Get an interactive template',
  access: reads,
  response: z.object({ interactiveTemplate: listedInteractiveTemplate }),
  message: 'Interactive template retrieved successfully',
  errors: ['PROMPT_TEMPLATE_NOT_FOUND'],
});

export const getInteractiveTest = contract({
  operationId: 'getInteractiveTest',
  path: '/ai/interactive-templates/{organization_id}/tests/{test_id}',
  summary: 'Get the results of an A/B test',
  description:
    'An assignment is a conversation that the variant answered, and a conversion one whose lead is CONVERTED.',
  access: reads,
  params: inOrganization.extend({ test_id: name({ example: 'spring-greeting' }) }),
  response: z.object({
    test: z.object({
      id: z.string().meta({ example: 'spring-greeting' }),
      variants: z.array(
        z.object({
          templateId,
          weight: z.number().meta({ example: 0.5 }),
          assignments: count,
          conversions: count,
          conversionRate: average.meta({ example: 12.5, description: 'Percent, 0 to 100' }),
          probabilityBest: z.number().meta({
            example: 0.5,
            description: 'Probability that its conversion rate is the highest. All add up to 1',
          }),
        }),
      ),
    }),
  }),
  message: 'A/B test retrieved successfully',
  errors: ['A_B_TEST_NOT_FOUND'],
});

export const updateInteractiveTemplate = contract({
  operationId: 'updateInteractiveTemplate',
  method: 'PATCH',
  path: '/ai/interactive-templates/{organization_id}/{template_id}',
  summary: 'Update an interactive template',
  access: writes,
  body: z.object({
    name: templateName.optional(),
    description: description.nullish(),
    templateContent: templateContent.optional(),
    inputVariables: inputVariables.nullish(),
    businessInfo: interactiveBusinessInfo.nullish(),
    abTestVariant: abTestVariant.nullish(),
    isActive: isActive.optional(),
  }),
  response: z.object({ interactiveTemplate }),
  message: 'Interactive template updated successfully',
  errors: ['PROMPT_TEMPLATE_NOT_FOUND', 'TEMPLATE_NAME_EXISTS'],
});

export const deleteInteractiveTemplate = contract({
  operationId: 'deleteInteractiveTemplate',
  method: 'DELETE',
  path: '/ai/interactive-templates/{organization_id}/{template_id}',
  summary: 'Delete an interactive template',
  description: 'Returns 409 if an agent or a campaign uses the template.',
  access: writes,
  message: 'Interactive template deleted successfully',
  errors: ['PROMPT_TEMPLATE_NOT_FOUND', 'IN_USE'],
});

const option = z.boolean().meta({ example: true });

export const debugConversation = contract({
  operationId: 'debugConversation',
  method: 'POST',
  path: '/debug/conversations/{organization_id}/debug',
  specified: true,
  role: 'files',
  summary: 'Debug how an agent would reply to a message',
  description:
    'Sends nothing and uses no credits. Fields that `debugOptions` does not request are null.',
  access: writes,
  body: z.object({
    agentId,
    userMessage: testMessage,
    conversationHistory: optional(
      z
        .array(
          z.object({
            role: z.enum(['user', 'assistant']).meta({ example: 'user' }),
            content: testMessage,
          }),
        )
        .max(maxListed),
    ),
    debugOptions: optional(
      z.object({
        includePrompt: optional(option),
        includeVariables: optional(option),
        includeProcessingSteps: optional(option),
        includePerformance: optional(option),
      }),
    ),
  }),
  response: z.object({
    debugInfo: z.object({
      agentId,
      userMessage: testMessage,
      conversationHistory: z.array(
        z.object({
          role: z.enum(['user', 'assistant']).meta({ example: 'user' }),
          content: testMessage,
        }),
      ),
      processedPrompt: orNull(z.string().meta({ example: 'You answer for Analytical Engines.' })),
      variables: orNull(z.record(z.string(), z.string()).meta({ example: { tone: 'friendly' } })),
      passages: z.array(passage).meta({ description: 'The passages in the prompt, best first' }),
      processingSteps: orNull(z.array(z.string().meta({ example: 'Template "Sales" loaded' }))),
      response: z.string().meta({ example: 'Thank you for asking!' }),
      performance: orNull(
        z.object({
          totalTime: milliseconds,
          templateLoadTime: milliseconds,
          variableSubstitutionTime: milliseconds,
          contextEnhancementTime: milliseconds,
          aiGenerationTime: milliseconds,
        }),
      ),
      qualityMetrics: z.object({
        relevanceScore: score,
        completenessScore: score,
        toneScore: score,
      }),
      debuggedAt: timestamp(),
    }),
  }),
  message: 'Conversation debugged successfully',
  errors: ['AI_AGENT_NOT_FOUND', 'PROMPT_TEMPLATE_NOT_FOUND', 'AI_SERVICE_UNAVAILABLE'],
  rateLimit: 'aiTest',
  countedInHandler: ['aiTestOrganization'],
  idempotent: false,
});
