import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { html, table, time } from '../frame/html.ts';
import { describeIssues, jsonAnswer, parseJson, refusal } from '../frame/http.ts';
import type {
  PageSection,
  SandboxAnswer,
  SandboxRequest,
  SandboxService,
  ServiceContext,
} from '../frame/service.ts';
import { answerFor, type ChatMessage, type ObjectSchema } from './openai/answer-for.ts';
import { answerEmbeddings } from './openai/embeddings.ts';
import { obeyedIn } from './openai/knowledge.ts';
import { reasoningTokensOf, refusalOf } from './openai/model-rules.ts';

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
  reasoning_effort: z.string().optional(),
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

const givenAnswer = z.object({
  contains: z.string().min(1),
  action: z.string().optional(),
  reply: z.string().optional(),
  confidence: z.number().optional(),
  covered: z.boolean().optional(),
  times: z.int().min(1).optional(),
});

type GivenAnswer = {
  readonly id: string;
  readonly contains: string;
  readonly fields: Readonly<Record<string, unknown>>;
  timesLeft: number;
};

type Completion = {
  readonly at: Date;
  readonly model: string;
  readonly question: string;
  readonly answer: string;
};

const modelsPath = '/v1/models/';
const embeddingsPath = '/v1/embeddings';

/** OpenAI's chat models, and fine-tuned ones. */
const knownModel = /^(?:ft:)?(?:gpt-|chatgpt-|o\d)/;

/** A rough average for the most common languages. */
const charactersPerToken = 4;

/**
 * Simulates OpenAI chat completions, including structured output, and embeddings. The same input
 * always gets the same answer.
 */
export function createOpenai({ clock }: ServiceContext): SandboxService {
  let completions: Completion[] = [];
  let answers: GivenAnswer[] = [];

  return {
    name: 'openai',
    matches: ({ path }) => /^\/v1\/(?:chat\/|models|embeddings)/.test(path),
    answer: (request) => {
      const refused = authenticationError(request);
      if (refused) {
        return refused;
      }
      if (request.path.startsWith(modelsPath)) {
        return describeModel(request.path.slice(modelsPath.length));
      }

      if (request.path === embeddingsPath) {
        return answerEmbeddings(parseJson(request.body), (status, text, code, param) =>
          failure(status, text, 'invalid_request_error', code, param ?? null),
        );
      }

      return complete(request, (completion) => {
        completions = [...completions.slice(-99), completion];
      });
    },
    failure: (status, text) => failure(status, text, 'server_error', null),
    reset: () => {
      completions = [];
      answers = [];
    },
    control: [
      { method: 'POST', path: /^\/openai\/answers$/, answer: giveAnswer },
      {
        method: 'DELETE',
        path: /^\/openai\/answers\/([^/]+)$/,
        answer: (_, [id]) => {
          answers = answers.filter((one) => one.id !== id);

          return jsonAnswer(200, {});
        },
      },
    ],
    sections: () => [section(completions)],
  };

  function giveAnswer({ body }: SandboxRequest): SandboxAnswer {
    const parsed = givenAnswer.safeParse(parseJson(body));
    if (!parsed.success) {
      return refusal(400, describeIssues(parsed.error));
    }
    const { contains, times = Number.POSITIVE_INFINITY, ...fields } = parsed.data;
    const id = randomUUID();
    answers.push({ id, contains, timesLeft: times, fields });

    return jsonAnswer(201, { id });
  }

  /** The fields that the test gave for this question. */
  function takeGiven(question: string): GivenAnswer['fields'] {
    const given = answers.find(
      ({ contains, timesLeft }) => timesLeft > 0 && question.includes(contains),
    );
    if (given) {
      given.timesLeft -= 1;
    }

    return given?.fields ?? {};
  }

  function complete(
    request: SandboxRequest,
    record: (completion: Completion) => void,
  ): SandboxAnswer {
    const parsed = completionBody.safeParse(parseJson(request.body));
    if (!parsed.success) {
      return failure(400, describeIssues(parsed.error), 'invalid_request_error', null);
    }
    const { model, messages, response_format: format, max_completion_tokens } = parsed.data;
    if (!knownModel.test(model)) {
      return unknownModel(model);
    }
    const refused = refusalOf(parsed.data);
    if (refused) {
      return failure(400, refused.text, 'invalid_request_error', refused.code, refused.param);
    }
    const schema = format?.type === 'json_schema' ? format.json_schema.schema : undefined;
    const reasoning = reasoningTokensOf(parsed.data);
    const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const given = takeGiven(question);
    const obeyed = Object.keys(given).length > 0 ? undefined : obeyedIn(messages);
    const isTool = obeyed !== undefined && 'tool' in obeyed;
    const whole = answerFor(messages, schema, given);
    const room = (max_completion_tokens ?? Number.POSITIVE_INFINITY) - reasoning;
    // What the model thinks counts against the limit, and can leave nothing for the answer.
    const isCut = tokensOf(whole) > room;
    const content = isCut ? whole.slice(0, Math.max(0, room * charactersPerToken)) : whole;
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
          message: {
            role: 'assistant',
            content: isTool ? null : content,
            refusal: null,
            ...(isTool ? { tool_calls: [toolCall(obeyed.tool)] } : {}),
          },
          logprobs: null,
          finish_reason: finishReason(isTool, isCut),
        },
      ],
      usage: usageOf(messages, content, reasoning),
    });
  }
}

function toolCall(name: string) {
  return { id: `call_${randomUUID()}`, type: 'function', function: { name, arguments: '{}' } };
}

function finishReason(isTool: boolean, isCut: boolean): string {
  if (isTool) {
    return 'tool_calls';
  }

  return isCut ? 'length' : 'stop';
}

function authenticationError({ headers, method, path }: SandboxRequest): SandboxAnswer | undefined {
  if (!/^Bearer \S+/.test(headers.authorization ?? '')) {
    const text = 'You did not provide an API key.';

    return failure(401, text, 'invalid_request_error', 'invalid_api_key');
  }
  const isKnown =
    (method === 'POST' && (path === '/v1/chat/completions' || path === embeddingsPath)) ||
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
    ? jsonAnswer(200, {
        id: model,
        object: 'model',
        created: 1_790_000_000,
        owned_by: 'openai',
        shutdown_date: null,
      })
    : unknownModel(model);
}

function unknownModel(model: string): SandboxAnswer {
  const text = `The model \`${model}\` does not exist or you do not have access to it.`;

  return failure(404, text, 'invalid_request_error', 'model_not_found');
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

function usageOf(messages: readonly ChatMessage[], content: string, reasoning: number) {
  const prompt = messages.reduce((sum, { content: text }) => sum + tokensOf(text), 0);
  const completion = tokensOf(content) + reasoning;

  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

function failure(
  status: number,
  text: string,
  type: string,
  code: string | null,
  param: string | null = null,
): SandboxAnswer {
  return jsonAnswer(status, { error: { message: text, type, param, code } });
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
