import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { html, table, time } from '../frame/html.ts';
import { describeIssues, jsonAnswer, parseJson } from '../frame/http.ts';
import type {
  PageSection,
  SandboxAnswer,
  SandboxRequest,
  SandboxService,
  ServiceContext,
} from '../frame/service.ts';
import { answerFor, type ChatMessage, type ObjectSchema } from './openai/answer-for.ts';

const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z.string(),
});
const objectSchema: z.ZodType<ObjectSchema> = z.object({
  type: z.literal('object'),
  properties: z.record(z.string(), z.looseObject({ type: z.string().optional() })),
});
const completionBody = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  max_completion_tokens: z.int().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  response_format: z
    .union([
      z.object({ type: z.enum(['text', 'json_object']) }),
      z.object({
        type: z.literal('json_schema'),
        json_schema: z.looseObject({ name: z.string().min(1), schema: objectSchema }),
      }),
    ])
    .optional(),
});

type Completion = {
  readonly at: Date;
  readonly model: string;
  readonly question: string;
  readonly answer: string;
};

const modelsPath = '/v1/models/';

/** OpenAI's chat models, and fine-tuned ones. */
const knownModel = /^(?:ft:)?(?:gpt-|chatgpt-|o\d)/;

/** Reasoning models reject every temperature except the default. */
const reasoningModel = /^(?:gpt-5|o\d)/;

/** A rough average for the most common languages. */
const charactersPerToken = 4;

/**
 * Simulates OpenAI chat completions, including structured output. The same input always gets the
 * same answer.
 */
export function createOpenai({ clock }: ServiceContext): SandboxService {
  let completions: Completion[] = [];

  return {
    name: 'openai',
    matches: ({ path }) => path.startsWith('/v1/chat/') || path.startsWith('/v1/models'),
    answer: (request) => {
      const refused = authenticationError(request);
      if (refused) {
        return refused;
      }
      if (request.path.startsWith(modelsPath)) {
        return describeModel(request.path.slice(modelsPath.length));
      }

      return complete(request, (completion) => {
        completions = [...completions.slice(-99), completion];
      });
    },
    failure: (status, text) => failure(status, text, 'server_error', null),
    reset: () => {
      completions = [];
    },
    control: [],
    sections: () => [section(completions)],
  };

  function complete(
    request: SandboxRequest,
    record: (completion: Completion) => void,
  ): SandboxAnswer {
    const parsed = completionBody.safeParse(parseJson(request.body));
    if (!parsed.success) {
      return failure(400, describeIssues(parsed.error), 'invalid_request_error', null);
    }
    const { model, temperature = 1, messages, response_format: format } = parsed.data;
    if (!knownModel.test(model)) {
      return unknownModel(model);
    }
    if (reasoningModel.test(model) && temperature !== 1) {
      const text = `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`;

      return failure(400, text, 'invalid_request_error', 'unsupported_value');
    }
    const schema = format?.type === 'json_schema' ? format.json_schema.schema : undefined;
    const content = answerFor(messages, schema);
    const at = clock();
    record({ at, model, question: messages.at(-1)?.content ?? '', answer: content });

    return jsonAnswer(200, {
      id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
      object: 'chat.completion',
      created: Math.floor(at.getTime() / 1000),
      model,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content, refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: usageOf(messages, content),
    });
  }
}

function authenticationError({ headers, method, path }: SandboxRequest): SandboxAnswer | undefined {
  if (!/^Bearer \S+/.test(headers.authorization ?? '')) {
    const text = 'You did not provide an API key.';

    return failure(401, text, 'invalid_request_error', 'invalid_api_key');
  }
  const isKnown =
    (method === 'POST' && path === '/v1/chat/completions') ||
    (method === 'GET' && path.startsWith(modelsPath));

  return isKnown
    ? undefined
    : {
        ...failure(404, `Invalid URL (${method} ${path})`, 'invalid_request_error', null),
        unexpected: true,
      };
}

function describeModel(id: string): SandboxAnswer {
  const model = decodeURIComponent(id);

  return knownModel.test(model)
    ? jsonAnswer(200, { id: model, object: 'model', created: 1_744_316_542, owned_by: 'system' })
    : unknownModel(model);
}

function unknownModel(model: string): SandboxAnswer {
  const text = `The model \`${model}\` does not exist or you do not have access to it.`;

  return failure(404, text, 'invalid_request_error', 'model_not_found');
}

function usageOf(messages: readonly ChatMessage[], content: string) {
  const tokens = (text: string) => Math.ceil(text.length / charactersPerToken);
  const prompt = messages.reduce((sum, { content: text }) => sum + tokens(text), 0);
  const completion = tokens(content);

  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}

function failure(status: number, text: string, type: string, code: string | null): SandboxAnswer {
  return jsonAnswer(status, { error: { message: text, type, param: null, code } });
}

function section(completions: readonly Completion[]): PageSection {
  const rows = completions
    .toReversed()
    .map(({ at, model, question, answer }) => [
      time(at),
      model,
      question,
      html`<details><summary>Read</summary><pre>${answer}</pre></details>`,
    ]);

  return {
    id: 'completions',
    title: 'AI responses',
    content: table(
      'AI answers, newest first',
      ['Time (UTC)', 'Model', 'Asked', 'Answer'],
      rows,
      'No AI requests yet.',
    ),
  };
}
