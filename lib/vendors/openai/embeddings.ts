import { throughCircuit } from '#lib/platform/circuit-breaker.ts';
import { config } from '#lib/platform/config.ts';
import { upstream } from '#lib/platform/errors/failures.ts';
import { floatsOf } from '#lib/platform/vectors.ts';
import * as z from '#schemas/zod.ts';
import { connect, forgetTimeouts, isOutage } from './client.ts';

/** Many passages of 1,200 characters stay far below the service's limit of 300,000 tokens. */
export const maxEmbeddedAtOnce = 64;

/**
 * A third of the full length. The models allow shortening a vector, which loses about one percent
 * of their accuracy: https://openai.com/index/new-embedding-models-and-api-updates/.
 */
export const embeddingDimensions = 512;

/** Base64 of 32-bit numbers, or a list from servers that do not support base64. */
const answerShape = z.object({
  data: z.array(
    z.object({ index: z.int(), embedding: z.union([z.string(), z.array(z.number())]) }),
  ),
  usage: z.object({ prompt_tokens: z.number() }).optional(),
});

export type Embedded = {
  /** One vector of length 1 for each text, so that the dot product is the cosine. */
  readonly vectors: readonly Float32Array[];
  readonly tokens: number;
};

/**
 * Embeds up to `maxEmbeddedAtOnce` texts with one call, without retries.
 *
 * @throws 502 if the AI service is unavailable, slow, or returns an invalid response.
 */
export async function embed(
  organizationId: string,
  texts: readonly string[],
  timeoutMs = config.ai.timeoutMs,
): Promise<Embedded> {
  const openai = await connect();
  const { embeddingModel: model } = config.ai;
  try {
    const answer = await throughCircuit(
      'embeddings',
      () =>
        openai.embeddings.create(
          {
            model,
            input: [...texts],
            encoding_format: 'base64',
            ...(model.startsWith('text-embedding-3') ? { dimensions: embeddingDimensions } : {}),
          },
          { timeout: timeoutMs, signal: AbortSignal.timeout(timeoutMs) },
        ),
      { inFailure: (failure) => isOutage(failure, organizationId) },
    );
    forgetTimeouts();

    return vectorsOf(answerShape.parse(answer), texts.length);
  } catch (failure) {
    throw upstream('ai', failure);
  }
}

function vectorsOf({ data, usage }: z.output<typeof answerShape>, wanted: number): Embedded {
  const byIndex = new Map(data.map(({ index, embedding }) => [index, normalized(embedding)]));
  const vectors = Array.from({ length: wanted }, (_, index) => {
    const vector = byIndex.get(index);
    if (!vector || vector.length === 0 || vector.length !== byIndex.get(0)?.length) {
      throw new Error('The AI service left out embeddings');
    }

    return vector;
  });

  return { vectors, tokens: usage?.prompt_tokens ?? 0 };
}

function normalized(embedding: string | readonly number[]): Float32Array {
  const vector =
    typeof embedding === 'string'
      ? floatsOf(Buffer.from(embedding, 'base64'))
      : Float32Array.from(embedding);
  const length = Math.hypot(...vector);
  if (!(length > 0) || !Number.isFinite(length)) {
    throw new Error('The AI service returned an embedding without direction');
  }

  return vector.map((value) => value / length);
}
