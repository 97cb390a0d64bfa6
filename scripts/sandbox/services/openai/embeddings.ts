import * as z from 'zod';
import { describeIssues, jsonAnswer } from '../../frame/http.ts';
import type { SandboxAnswer } from '../../frame/service.ts';
import { embeddingOf } from './meaning.ts';

const embeddingsBody = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(2_048)]),
  encoding_format: z.enum(['float', 'base64']).default('float'),
  dimensions: z.int().min(1).optional(),
});

/** The full length of each model's vectors, and whether it can be shortened. */
const models: Readonly<Record<string, { readonly dimensions: number; readonly fixed?: true }>> = {
  'text-embedding-3-small': { dimensions: 1_536 },
  'text-embedding-3-large': { dimensions: 3_072 },
  'text-embedding-ada-002': { dimensions: 1_536, fixed: true },
};

const maxTokens = 8_192;
const maxTokensTogether = 300_000;
const charactersPerToken = 4;

type Failure = (status: number, text: string, code: string | null, param?: string) => SandboxAnswer;

/** Answers a request for embeddings, and rejects what the vendor rejects. */
export function answerEmbeddings(body: unknown, failure: Failure): SandboxAnswer {
  const parsed = embeddingsBody.safeParse(body);
  if (!parsed.success) {
    return failure(400, describeIssues(parsed.error), null, 'input');
  }
  const { model, input, encoding_format: format, dimensions } = parsed.data;
  const known = models[model];
  if (!known) {
    const text = `The model \`${model}\` does not exist or you do not have access to it.`;

    return failure(404, text, 'model_not_found');
  }
  if (dimensions !== undefined && (known.fixed || dimensions > known.dimensions)) {
    return failure(400, 'This model does not support these dimensions.', null, 'dimensions');
  }
  const texts = [input].flat();
  const tokens = texts.map((text) => Math.ceil(text.length / charactersPerToken));
  const together = tokens.reduce((sum, count) => sum + count, 0);
  if (together > maxTokensTogether || tokens.some((count) => count > maxTokens)) {
    return failure(400, 'The input exceeds the maximum context length.', null, 'input');
  }

  return jsonAnswer(200, {
    object: 'list',
    data: texts.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: encoded(embeddingOf(text, dimensions ?? known.dimensions), format),
    })),
    model,
    usage: { prompt_tokens: together, total_tokens: together },
  });
}

function encoded(vector: readonly number[], format: 'float' | 'base64') {
  return format === 'float'
    ? vector
    : Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}
