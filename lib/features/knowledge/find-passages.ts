import { cutToLength } from '#lib/platform/characters.ts';
import { config } from '#lib/platform/config.ts';
import { knowledgeKeys } from '#lib/platform/db/keys/knowledge.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { logger } from '#lib/platform/log/logger.ts';
import { product } from '#lib/platform/vectors.ts';
import { embed } from '#lib/vendors/openai/embeddings.ts';
import { loadPassages, type Passages } from './passage-file.ts';
import { partsOfPair } from './passages.ts';
import type { Source } from './source.ts';

export type FoundPassage = {
  readonly sourceId: string;
  readonly sourceName: string;
  readonly text: string;
  /** The cosine of the question and the passage. */
  readonly score: number;
};

export type Found = {
  readonly passages: readonly FoundPassage[];
  /** The business's own texts in the passages. Replies may link the hosts in them. */
  readonly ownTexts: readonly string[];
  /** The questions in the passages. Customers may have written them. */
  readonly questions: readonly string[];
  /** The embedding of the question. */
  readonly vector: Float32Array;
};

/** The maximum number of passages in a prompt. */
export const maxPromptPassages = 8;

/** Comparing with a longer question would not improve the result. */
const maxQuestionLength = 2_000;

type Wanted = { readonly question: string; readonly limit: number; readonly timeoutMs?: number };

/**
 * Returns the passages of some sources that match a question best, best first. Compares the
 * question with all of them, so nothing is missed.
 *
 * @throws 502 if the AI service fails.
 */
export async function findPassages(
  organizationId: string,
  readSources: () => Promise<readonly Source[]>,
  { question, limit, timeoutMs }: Wanted,
): Promise<Found> {
  const [vector, loaded] = await Promise.all([
    embedQuestion(organizationId, question, timeoutMs),
    load(readSources),
  ]);

  const found = rank(loaded, vector, limit);

  return {
    vector,
    passages: found.map(presentPassage),
    ownTexts: found.map(ownTextOf),
    questions: found.flatMap(({ source, text }) =>
      source.type === 'FAQ' ? [partsOfPair(text).question] : [],
    ),
  };
}

/** @throws 502 if the AI service fails. */
export async function embedQuestion(
  organizationId: string,
  question: string,
  timeoutMs?: number,
): Promise<Float32Array> {
  const text = cutToLength(question, maxQuestionLength);
  const { vectors } = await embed(organizationId, [text], timeoutMs);

  return vectors[0] ?? new Float32Array();
}

/** Reads the sources that agents use. Omits deleted ones. */
export async function readNamedSources(
  organizationId: string,
  sourceIds: readonly string[],
): Promise<readonly Source[]> {
  const found = await getMany<Source>(
    sourceIds.map((id) => knowledgeKeys.knowledgeSource(organizationId, id)),
  );

  return found.filter((source) => source !== undefined);
}

type Loaded = { readonly source: Source; readonly passages: Passages };

/** A source that was replaced between the two reads is read again. */
async function load(readSources: () => Promise<readonly Source[]>): Promise<readonly Loaded[]> {
  const first = await loadAll(await readSources());
  const isComplete = first.every(({ passages }) => passages !== undefined);
  const all = isComplete ? first : await loadAll(await readSources());

  return all.flatMap(({ source, passages }) => (passages ? [{ source, passages }] : []));
}

function loadAll(sources: readonly Source[]) {
  return Promise.all(
    sources
      .filter(({ storedName }) => storedName !== undefined)
      .map(async (source) => ({ source, passages: await loadPassages(source) })),
  );
}

type Candidate = { readonly score: number; readonly source: Source; readonly text: string };

function presentPassage({ source, text, score }: Candidate): FoundPassage {
  return {
    sourceId: source.id,
    sourceName: source.name,
    text,
    score: Math.min(1, Number(score.toFixed(4))),
  };
}

/**
 * A question may come from a customer, and a page can contain any link. Only the business's
 * answers, and the URL of the page, are trusted.
 */
function ownTextOf({ source: { type, url = '' }, text }: Candidate): string {
  if (type === 'FAQ') {
    return partsOfPair(text).answer;
  }

  return type === 'URL' ? url : text;
}

/** Exported for the benchmark. */
export function rank(
  loaded: readonly Loaded[],
  vector: Float32Array,
  limit: number,
): readonly Candidate[] {
  const best: Candidate[] = [];
  for (const { source, passages } of loaded) {
    if (!isComparable(source, passages, vector)) {
      continue;
    }
    const { vectors, dimensions, texts } = passages;
    for (const [index, text] of texts.entries()) {
      const score = product(vectors, index * dimensions, vector);
      const worst = best.at(-1);
      if (best.length < limit || (worst && score > worst.score)) {
        insert(best, { score, source, text }, limit);
      }
    }
  }

  return best;
}

function isComparable(
  { id, organizationId }: Source,
  { model, dimensions }: Passages,
  vector: Float32Array,
): boolean {
  if (model === config.ai.embeddingModel && dimensions === vector.length) {
    return true;
  }
  logger.warn('A source was embedded by another model and must be read again', {
    organizationId,
    sourceId: id,
    model,
  });

  return false;
}

function insert(best: Candidate[], candidate: Candidate, limit: number): void {
  const place = best.findIndex(({ score }) => score < candidate.score);
  best.splice(place < 0 ? best.length : place, 0, candidate);
  best.length = Math.min(best.length, limit);
}
