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
import { type ApiKeys, createApiKeys, maskKey } from './api-keys.ts';
import { answerFor } from './openai/answer-for.ts';
import type { ChatMessage } from './openai/chat-message.ts';
import { readChatRequest } from './openai/chat-request.ts';
import { completionAnswer, completionStream } from './openai/completion.ts';
import { answerEmbeddings } from './openai/embeddings.ts';
import { obeyedIn } from './openai/knowledge.ts';
import { reasoningTokensOf } from './openai/model-rules.ts';

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

/** A row of the sandbox's web page. */
type Asked = {
  readonly at: Date;
  readonly model: string;
  readonly question: string;
  readonly answer: string;
};

const chatPath = '/v1/chat/completions';
const modelsPath = '/v1/models/';
const embeddingsPath = '/v1/embeddings';

/** OpenAI's chat models, and fine-tuned ones. */
const knownModel = /^(?:ft:)?(?:gpt-|chatgpt-|o\d)/;

/** OpenAI's resources, including unsupported ones. Stripe has no resources with these names. */
const resources =
  /^\/v1\/(?:assistants|audio|batches|chat|completions|containers|conversations|embeddings|evals|fine_tuning|images|models|moderations|organization|realtime|responses|threads|uploads|vector_stores|videos)(?:\/|$)/;

/** A rough average for the most common languages. */
const charactersPerToken = 4;

/**
 * Simulates OpenAI chat completions, including structured output, and embeddings. The same input
 * always gets the same answer.
 */
export function createOpenai(context: ServiceContext): SandboxService {
  const { clock } = context;
  const apiKeys = createApiKeys('openai', context, {
    field: 'openaiApiKey',
    fallback: 'sk-sandbox',
  });
  let completions: Asked[] = [];
  let answers: GivenAnswer[] = [];

  return {
    name: 'openai',
    // Stripe has the same prefix. Its keys contain underscores instead of dashes.
    matches: (request) =>
      resources.test(request.path) ||
      (request.path.startsWith('/v1/') && /^sk-/.test(bearerOf(request) ?? '')),
    answer: (request) => {
      const refused = unknownUrl(request) ?? authenticationError(apiKeys, request);
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
      apiKeys.reset();
    },
    control: [
      apiKeys.control,
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

  /** The answer that the test has configured for this question. */
  function takeGiven(question: string): GivenAnswer['fields'] {
    const given = answers.find(
      ({ contains, timesLeft }) => timesLeft > 0 && question.includes(contains),
    );
    if (given) {
      given.timesLeft -= 1;
    }

    return given?.fields ?? {};
  }

  function complete(request: SandboxRequest, record: (asked: Asked) => void): SandboxAnswer {
    const { request: chat, refusal: refused } = readChatRequest(parseJson(request.body));
    if (refused) {
      return failure(400, refused.text, 'invalid_request_error', refused.code, refused.param);
    }
    const { model, messages, response_format: format } = chat;
    if (!knownModel.test(model)) {
      return unknownModel(model);
    }
    const schema = format?.type === 'json_schema' ? format.json_schema.schema : undefined;
    const reasoning = reasoningTokensOf(chat);
    const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const given = takeGiven(question);
    const obeyed = Object.keys(given).length > 0 ? undefined : obeyedIn(messages);
    const tool = obeyed !== undefined && 'tool' in obeyed ? obeyed.tool : undefined;
    const whole = answerFor(messages, schema, given);
    const limit = chat.max_completion_tokens ?? chat.max_tokens ?? Number.POSITIVE_INFINITY;
    const room = limit - reasoning;
    // Reasoning tokens count towards the limit, and can leave no room for the answer.
    const isCut = tokensOf(whole) > room;
    const content = isCut ? whole.slice(0, Math.max(0, room * charactersPerToken)) : whole;
    const at = clock();
    record({ at, model, question: messages.at(-1)?.content ?? '', answer: content });
    const count = chat.n ?? 1;
    const completion = {
      at,
      model,
      content: tool === undefined ? content : null,
      toolCalls: tool === undefined ? [] : [toolCall(tool)],
      finishReason: finishReason(tool !== undefined, isCut),
      count,
      usage: usageOf(messages, content, { reasoning, count }),
    } as const;

    return chat.stream
      ? completionStream(completion, chat.stream_options?.include_usage === true)
      : completionAnswer(completion);
  }
}

function toolCall(name: string) {
  return { id: `call_${randomUUID()}`, type: 'function', function: { name, arguments: '{}' } };
}

function finishReason(isTool: boolean, isCut: boolean): 'stop' | 'length' | 'tool_calls' {
  if (isTool) {
    return 'tool_calls';
  }

  return isCut ? 'length' : 'stop';
}

function bearerOf({ headers }: SandboxRequest): string | undefined {
  return /^Bearer (\S+)/.exec(headers.authorization ?? '')?.[1];
}

function authenticationError(apiKeys: ApiKeys, request: SandboxRequest): SandboxAnswer | undefined {
  const key = bearerOf(request);
  if (key === undefined) {
    const text =
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).";

    return failure(401, text, 'invalid_request_error', null);
  }

  return apiKeys.stateOf(key) === 'valid'
    ? undefined
    : failure(
        401,
        `Incorrect API key provided: ${maskKey(key)}. You can find your API key at https://platform.openai.com/account/api-keys.`,
        'invalid_request_error',
        'invalid_api_key',
      );
}

function unknownUrl({ method, path }: SandboxRequest): SandboxAnswer | undefined {
  const isKnown =
    (method === 'POST' && (path === chatPath || path === embeddingsPath)) ||
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

function usageOf(
  messages: readonly ChatMessage[],
  content: string,
  { reasoning, count }: { readonly reasoning: number; readonly count: number },
) {
  const prompt = messages.reduce((sum, { content: text }) => sum + tokensOf(text), 0);
  const completion = (tokensOf(content) + reasoning) * count;

  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    completion_tokens_details: { reasoning_tokens: reasoning * count },
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

function section(completions: readonly Asked[]): PageSection {
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
