import { createHash } from 'node:crypto';
import * as z from 'zod';
import { jsonAnswer } from '../../frame/http.ts';
import type { SandboxAnswer } from '../../frame/service.ts';
import { explainIssues } from './chat-request.ts';

const text = z.string().min(1);
/** A text as a list of token ids. */
const tokenNumbers = z
  .array(z.int().min(0))
  .min(1)
  .transform((numbers) => numbers.join(' '));
const embeddingsBody = z.strictObject({
  model: z.string().min(1),
  input: z.union([
    text,
    tokenNumbers,
    z.array(text).min(1).max(2_048),
    z.array(tokenNumbers).min(1).max(2_048),
  ]),
  user: z.string().optional(),
  encoding_format: z.enum(['float', 'base64']).default('float'),
  dimensions: z.int().min(1).optional(),
});

/** The length of each model's vectors, and whether requests may shorten them. */
const models: Readonly<Record<string, { readonly dimensions: number; readonly fixed?: true }>> = {
  'text-embedding-3-small': { dimensions: 1_536 },
  'text-embedding-3-large': { dimensions: 3_072 },
  'text-embedding-ada-002': { dimensions: 1_536, fixed: true },
};

const maxTokens = 8_192;
const maxTokensTogether = 300_000;
const charactersPerToken = 4;

type Failure = (status: number, text: string, code: string | null, param?: string) => SandboxAnswer;

/** Answers a request for embeddings. Rejects the same requests as OpenAI. */
export function answerEmbeddings(body: unknown, failure: Failure): SandboxAnswer {
  const parsed = embeddingsBody.safeParse(body);
  if (!parsed.success) {
    const { text, code, param } = explainIssues(parsed.error);

    return failure(400, text, code, param ?? undefined);
  }
  const { model, input, encoding_format: format, dimensions } = parsed.data;
  const known = models[model];
  if (!known) {
    const reason = `The model \`${model}\` does not exist or you do not have access to it.`;

    return failure(404, reason, 'model_not_found');
  }
  if (dimensions !== undefined && (known.fixed || dimensions > known.dimensions)) {
    return failure(400, 'This model does not support these dimensions.', null, 'dimensions');
  }
  const texts = [input].flat();
  const tokens = texts.map(({ length }) => Math.ceil(length / charactersPerToken));
  const together = tokens.reduce((sum, count) => sum + count, 0);
  if (together > maxTokensTogether || tokens.some((count) => count > maxTokens)) {
    return failure(400, 'The input exceeds the maximum context length.', null, 'input');
  }

  return jsonAnswer(200, {
    object: 'list',
    data: texts.map((one, index) => ({
      object: 'embedding',
      index,
      embedding: encoded(embeddingOf(one, dimensions ?? known.dimensions), format),
    })),
    model,
    usage: { prompt_tokens: together, total_tokens: together },
  });
}

function encoded(vector: Float32Array, format: 'float' | 'base64') {
  return format === 'float' ? [...vector] : Buffer.from(vector.buffer).toString('base64');
}

/**
 * Embeds a text as the sum of its words' vectors. The vectors of unrelated words are nearly
 * orthogonal.
 */
function embeddingOf(whole: string, dimensions: number): Float32Array {
  const words = whole
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  // Sorting makes the sum independent of the word order, down to the last bit.
  const sorted = (words ?? [whole]).toSorted();
  const sum = new Float64Array(dimensions);
  for (const word of sorted) {
    for (const [index, value] of directionOf(word, dimensions).entries()) {
      sum[index] = (sum[index] ?? 0) + value;
    }
  }

  return Float32Array.from(normalized(sum));
}

const bytesPerNumber = 4;
const highest = 2 ** 31;

/** Returns a pseudorandom direction, which is always the same for the same word. */
function directionOf(word: string, dimensions: number): Float64Array {
  const bytes = createHash('shake256', { outputLength: dimensions * bytesPerNumber })
    .update(word)
    .digest();

  return normalized(
    Float64Array.from(
      { length: dimensions },
      (_, index) => (bytes.readInt32LE(index * bytesPerNumber) + 0.5) / highest,
    ),
  );
}

function normalized(vector: Float64Array): Float64Array {
  const length = Math.hypot(...vector);

  return vector.map((value) => value / length);
}
