import * as z from 'zod';
import { describeIssues } from '../../frame/http.ts';
import type { ObjectSchema } from './answer-for.ts';
import type { ChatMessage } from './chat-message.ts';
import { type Refusal, refusalOf } from './model-rules.ts';
import { strictSchemaProblem } from './strict-schema.ts';

const part = z.object({ type: z.literal('text'), text: z.string() });
const message = z
  .object({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
    content: z.union([z.string(), z.array(part).min(1)]).nullish(),
  })
  .transform(
    ({ role, content }): ChatMessage => ({
      role,
      content: Array.isArray(content)
        ? content.map(({ text }) => text).join('\n')
        : (content ?? ''),
    }),
  );
const objectSchema: z.ZodType<ObjectSchema> = z.looseObject({
  type: z.literal('object'),
  properties: z.record(
    z.string(),
    z.looseObject({ type: z.union([z.string(), z.array(z.string())]).optional() }),
  ),
});
const tokens = z.int().min(1).nullish();
const penalty = z.number().min(-2).max(2).nullish();
const ignored = z.unknown().optional();

/**
 * The parameters of OpenAI's specification 2.3.0. Those that do not change the sandbox's answer are
 * accepted and ignored. The sandbox supports neither tools nor other modalities nor web search.
 */
const chatBody = z.strictObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  max_completion_tokens: tokens,
  max_tokens: tokens,
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  n: z.int().min(1).max(128).nullish(),
  presence_penalty: penalty,
  frequency_penalty: penalty,
  logit_bias: z.record(z.string(), z.number()).nullish(),
  logprobs: z.literal(false).nullish(),
  reasoning_effort: z.string().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z
    .object({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
    .nullish(),
  response_format: z
    .union([
      z.object({ type: z.enum(['text', 'json_object']) }),
      z.object({
        type: z.literal('json_schema'),
        json_schema: z.looseObject({
          name: z.string().regex(/^[\w-]{1,64}$/),
          strict: z.boolean().nullish(),
          schema: objectSchema,
        }),
      }),
    ])
    .nullish(),
  metadata: ignored,
  moderation: ignored,
  parallel_tool_calls: ignored,
  prediction: ignored,
  prompt_cache_key: ignored,
  prompt_cache_options: ignored,
  prompt_cache_retention: ignored,
  safety_identifier: ignored,
  seed: ignored,
  service_tier: ignored,
  stop: ignored,
  store: ignored,
  user: ignored,
  verbosity: ignored,
});

export type ChatRequest = z.output<typeof chatBody>;

type Reading =
  | { readonly request: ChatRequest; readonly refusal?: undefined }
  | { readonly refusal: Refusal; readonly request?: undefined };

/** Parses a completion request. Rejects the same requests as OpenAI. */
export function readChatRequest(body: unknown): Reading {
  const { data: request, error } = chatBody.safeParse(body);
  const refusal = error ? explainIssues(error) : problemOf(request);

  return refusal ? { refusal } : { request: request as ChatRequest };
}

/** Describes the first problem of a body. */
export function explainIssues(error: z.ZodError): Refusal {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const text = `Unrecognized request argument supplied: ${issue.keys.join(', ')}`;

    return { text, param: null, code: null };
  }

  return { text: describeIssues(error), param: issue?.path[0]?.toString() ?? null, code: null };
}

function problemOf(request: ChatRequest | undefined): Refusal | undefined {
  return request && (combinationProblem(request) ?? refusalOf(request) ?? formatProblem(request));
}

function combinationProblem(request: ChatRequest): Refusal | undefined {
  if (typeof request.max_tokens === 'number' && typeof request.max_completion_tokens === 'number') {
    return {
      text: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      param: null,
      code: 'invalid_parameter_combination',
    };
  }

  return request.stream_options && !request.stream
    ? {
        text: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
        param: 'stream_options',
        code: null,
      }
    : undefined;
}

function formatProblem({ response_format: format, messages }: ChatRequest): Refusal | undefined {
  const reject = (text: string, param: string): Refusal => ({ text, param, code: null });
  if (format?.type === 'json_object' && !messages.some(({ content }) => /json/i.test(content))) {
    return reject(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      'messages',
    );
  }
  if (format?.type !== 'json_schema' || !format.json_schema.strict) {
    return undefined;
  }
  const problem = strictSchemaProblem(format.json_schema.schema);

  return problem === undefined
    ? undefined
    : reject(
        `Invalid schema for response_format '${format.json_schema.name}': ${problem}`,
        'response_format',
      );
}
