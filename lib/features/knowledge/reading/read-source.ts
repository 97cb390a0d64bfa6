import { takeAiCall } from '#lib/features/ai/ai-budget.ts';
import { hourMs, minuteMs, now, secondMs, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { config } from '#lib/platform/config.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { knowledgeKeys } from '#lib/platform/db/keys/knowledge.ts';
import { change, type Write, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { ApiError } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { removeFiles } from '#lib/platform/storage/files.ts';
import { findFile, readRange, storeFile } from '#lib/platform/storage/stored-files.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import { embed, maxEmbeddedAtOnce } from '#lib/vendors/openai/embeddings.ts';
import { tooManyPassages } from '#schemas/knowledge.ts';
import { readContent } from '../content.ts';
import { planSourceRemoval } from '../delete-source.ts';
import { planPassages } from '../knowledge-usage.ts';
import { encodePassages } from '../passage-file.ts';
import { maxPassages, passagesOf } from '../passages.ts';
import { abandonedAfterMs } from '../plan-reading.ts';
import { documentKey, filesOfSource, findSource, passagesFile, type Source } from '../source.ts';
import { passagesOfDocument } from './document-thread.ts';
import { fetchPage, UnavailablePageError } from './fetch-page.ts';
import { typeOfAnswer } from './read-document.ts';
import { charsetOf } from './text-encoding.ts';
import { UnreadableContentError } from './unreadable-content-error.ts';

/** Delays between tries. A page or the AI service can be down for a while. */
const waitsMs = [10 * secondMs, minuteMs, 5 * minuteMs, hourMs / 4];
const maxTries = waitsMs.length + 1;
const batchesAtOnce = 4;

/**
 * Reads a PENDING source: its content, passages and embeddings. For any other source, deletes
 * unneeded files. Every attempt stores its passages under a new name. Only the transaction that
 * makes the source READY records that name, so an interrupted attempt is repeated. An attempt is
 * counted before it begins, so that content that crashes the function FAILS.
 */
export async function readSource({
  payload: { organizationId, sourceId },
}: WorkRequest<'knowledgeReading'>): Promise<WorkOutcome> {
  const source = await findSource(organizationId, sourceId);
  if (source?.awaitsUpload) {
    const againInMs = Date.parse(source.createdAt) + abandonedAfterMs - now();
    if (againInMs > 0) {
      return { againInMs };
    }
    await write(...planSourceRemoval(source));
  } else if (source?.status === 'PENDING') {
    const outcome = await attempt(source);
    if (outcome !== 'done') {
      return outcome;
    }
  }
  await removeLeftovers(organizationId, sourceId);

  return 'done';
}

/** A later attempt may be about to record files of later revisions. */
async function removeLeftovers(organizationId: string, sourceId: string): Promise<void> {
  const source = await findSource(organizationId, sourceId);
  if (source?.status === 'PENDING') {
    return;
  }
  const prefix = filesOfSource(organizationId, sourceId);
  const isKept = (key: string) => {
    const name = key.slice(prefix.length);

    return (
      source !== undefined && (name === source.storedName || revisionOf(name) > source.revision)
    );
  };
  await Promise.all([
    removeFiles(prefix, isKept),
    // A source that was not read can be completed again.
    ...(source && source.status !== 'READY'
      ? []
      : [removeFiles(documentKey({ organizationId, id: sourceId }))]),
  ]);
}

function newName({ revision }: Source): string {
  return `${revision}-${newId()}`;
}

function revisionOf(storedName: string): number {
  return Number.parseInt(storedName, 10);
}

async function attempt(source: Source): Promise<WorkOutcome> {
  const tries = (source.tries ?? 0) + 1;
  if (tries > maxTries) {
    return fail(source, 'The content could not be processed');
  }
  if (!(await writeIfMet(planOutcome(source, { tries })))) {
    return 'unfinished';
  }
  try {
    return await readAndStore(source);
  } catch (failure) {
    if (failure instanceof UnreadableContentError) {
      return fail(source, failure.message);
    }
    const reason = reasonOf(failure);
    if (reason === undefined) {
      throw failure;
    }
    const againInMs = waitsMs[tries - 1];

    return againInMs === undefined ? fail(source, reason) : { againInMs };
  }
}

/** Returns the reason of a failed attempt if a later one may succeed. */
function reasonOf(failure: unknown): string | undefined {
  if (failure instanceof UnavailablePageError) {
    return failure.message;
  }

  return failure instanceof ApiError && failure.kind === 'upstream'
    ? 'The AI service could not embed the content'
    : undefined;
}

/** Fails if the source was deleted, got new content, or was read by another attempt. */
function planOutcome({ organizationId, id, revision }: Source, set: object): Write {
  return change(knowledgeKeys.knowledgeSource(organizationId, id), {
    set: { ...set },
    when: allOf(equals('revision', revision), equals('status', 'PENDING')),
  });
}

/** Marks the source as FAILED. The passages of an earlier revision are still searched. */
async function fail(source: Source, failureReason: string): Promise<WorkOutcome> {
  const set = { status: 'FAILED', failureReason, tries: null, updatedAt: timestamp() };

  return (await writeIfMet(planOutcome(source, set))) ? 'done' : 'unfinished';
}

type Read = { readonly passages: readonly string[]; readonly bytes: number };

async function readAndStore(source: Source): Promise<WorkOutcome> {
  const read = await readPassages(source);
  if (!read) {
    return 'unfinished';
  }
  const { passages, bytes } = read;
  if (passages.length === 0) {
    throw new UnreadableContentError('The content has no text');
  }
  if (passages.length > maxPassages) {
    throw new UnreadableContentError(tooManyPassages);
  }
  const vectors = await embedAll(source.organizationId, passages);
  const storedName = newName(source);
  const file = passagesFile(source, storedName);
  await storeFile(file, encodePassages(config.ai.embeddingModel, passages, vectors));
  const now = timestamp();
  const isStored = await writeIfMet(
    planOutcome(source, {
      status: 'READY',
      tries: null,
      bytes,
      storedName,
      chunkCount: passages.length,
      lastSyncedAt: now,
      updatedAt: now,
    }),
    planPassages(
      source.organizationId,
      passages.length - source.chunkCount,
      () => new UnreadableContentError(tooManyPassages),
    ),
  );

  return isStored ? 'done' : 'unfinished';
}

/** Returns `undefined` if the content was replaced in the meantime. */
async function readPassages(source: Source): Promise<Read | undefined> {
  if (source.type === 'URL') {
    const { bytes, contentType } = await fetchPage(source.url ?? '');
    const passages = await passagesOfDocument({
      bytes,
      type: typeOfAnswer(bytes, contentType),
      charset: charsetOf(contentType),
    });

    return { passages, bytes: bytes.length };
  }
  if (source.type === 'FILE') {
    const bytes = await readUpload(source);
    const passages = await passagesOfDocument({ bytes, type: source.contentType ?? 'text/plain' });

    return { passages, bytes: bytes.length };
  }
  const content = await readContent(source);

  return (
    content && {
      passages: passagesOf(content),
      bytes: Buffer.byteLength('faq' in content ? JSON.stringify(content.faq) : content.text),
    }
  );
}

async function readUpload(source: Source): Promise<Buffer> {
  const file = await findFile(documentKey(source));
  if (!file) {
    throw new UnreadableContentError('The file is gone');
  }
  if (file.bytes !== source.announcedBytes) {
    throw new UnreadableContentError(
      `The file has ${file.bytes} bytes, and ${source.announcedBytes} were announced`,
    );
  }

  return readRange(file, 0, file.bytes);
}

async function embedAll(
  organizationId: string,
  passages: readonly string[],
): Promise<readonly Float32Array[]> {
  const batches = Array.from({ length: Math.ceil(passages.length / maxEmbeddedAtOnce) }, (_, at) =>
    passages.slice(at * maxEmbeddedAtOnce, (at + 1) * maxEmbeddedAtOnce),
  );
  const embedded = await atMostAtOnce(batchesAtOnce, batches, async (batch) => {
    if (!(await takeAiCall(organizationId))) {
      throw new UnreadableContentError('The daily budget of calls of the AI service is used up');
    }

    return embed(organizationId, batch);
  });

  return embedded.flatMap(({ vectors }) => vectors);
}
