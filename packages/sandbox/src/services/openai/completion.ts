import { randomUUID } from 'node:crypto';
import { jsonAnswer } from '../../frame/http.ts';
import type { SandboxAnswer } from '../../frame/service.ts';

/** The model's answer. */
export type Completion = {
  readonly at: Date;
  readonly model: string;
  readonly content: string | null;
  readonly toolCalls: ReadonlyArray<Readonly<Record<string, unknown>>>;
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
  /** The number of choices. The sandbox makes all of them equal. */
  readonly count: number;
  readonly usage: Readonly<Record<string, unknown>>;
};

/** Writes a completion as one JSON document. */
export function completionAnswer(completion: Completion): SandboxAnswer {
  const { content, toolCalls, finishReason, count, usage } = completion;
  const choices = Array.from({ length: count }, (_, index) => ({
    index,
    message: {
      role: 'assistant',
      content,
      refusal: null,
      ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
    },
    logprobs: null,
    finish_reason: finishReason,
  }));

  return jsonAnswer(200, { ...headOf(completion, 'chat.completion'), choices, usage });
}

/** Writes a completion as server-sent events: chunks, the usage if requested, and `[DONE]`. */
export function completionStream(completion: Completion, includeUsage: boolean): SandboxAnswer {
  const { content, toolCalls, finishReason, count, usage } = completion;
  const head = headOf(completion, 'chat.completion.chunk');
  const noUsage = includeUsage ? { usage: null } : {};
  const chunks = Array.from({ length: count }, (_, index) => {
    const chunk = (delta: object, finish: string | null = null) => ({
      ...head,
      choices: [{ index, delta, logprobs: null, finish_reason: finish }],
      ...noUsage,
    });

    return [
      chunk({ role: 'assistant', content: '', refusal: null }),
      ...(content?.match(/\S+\s*|\s+/g) ?? []).map((piece) => chunk({ content: piece })),
      ...toolCalls.map((call, number) => chunk({ tool_calls: [{ index: number, ...call }] })),
      chunk({}, finishReason),
    ];
  }).flat();
  const events = [...chunks, ...(includeUsage ? [{ ...head, choices: [], usage }] : [])];

  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    body: [...events.map((event) => JSON.stringify(event)), '[DONE]']
      .map((data) => `data: ${data}\n\n`)
      .join(''),
  };
}

function headOf({ at, model }: Completion, object: string) {
  return {
    id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    object,
    created: Math.floor(at.getTime() / 1000),
    model,
  };
}
