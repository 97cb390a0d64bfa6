import { hourMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import { knowledgeKeys } from '#lib/platform/db/keys/knowledge.ts';
import { create, type ExtraWrites, type Write, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { publicUrlProblems } from '#lib/platform/outbound/public-url.ts';
import { uploadTo } from '#lib/platform/storage/uploads.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { createKnowledgeSource, SourceType } from '#schemas/knowledge.ts';
import { planContent, type SourceContent } from './content.ts';
import { planSourceUse, requireRoom } from './knowledge-usage.ts';
import { passagesOf } from './passages.ts';
import { abandonedAfterMs, planReading } from './plan-reading.ts';
import { documentKey, type Source } from './source.ts';

const uploadSeconds = hourMs / secondMs;

/** The fields that each type requires. */
const fieldsOf = {
  TEXT: ['text'],
  FAQ: ['faq'],
  URL: ['url'],
  FILE: ['fileName', 'contentType', 'bytes'],
} as const satisfies Record<SourceType, readonly string[]>;

type Details = BodyOf<typeof createKnowledgeSource>;

/**
 * Returns a problem for each field that the type lacks or does not allow, and for an invalid URL.
 */
export function sourceProblems(details: Partial<Details>): readonly string[] {
  const { type } = details;
  if (!type) {
    return publicUrlProblems('url', details.url);
  }
  const required: readonly string[] = fieldsOf[type];
  const misfits = Object.values(fieldsOf)
    .flat()
    .flatMap((field) => {
      const isGiven = details[field] !== undefined && details[field] !== null;
      if (isGiven === required.includes(field)) {
        return [];
      }

      return [isGiven ? `${field} is not for a ${type}` : `${field} is required for a ${type}`];
    });

  return [...misfits, ...(type === 'URL' ? publicUrlProblems('url', details.url) : [])];
}

/** @throws 409 if a quota is exceeded. */
export async function createSource(
  organizationId: string,
  details: Details,
  extraWrites: ExtraWrites<Source>,
): Promise<Source> {
  const { type, name, url, contentType, bytes } = details;
  const isFile = type === 'FILE';
  const { source, writes } = planSource(
    {
      ...newSource(organizationId, type, name),
      ...(url ? { url } : {}),
      ...(contentType ? { contentType } : {}),
      ...(bytes ? { announcedBytes: bytes } : {}),
      ...(isFile ? { awaitsUpload: true } : {}),
    },
    contentOf(details),
  );
  const [first] = await Promise.all([extraWrites(source), requireRoomFor(source, details)]);
  await write(
    ...first,
    ...writes,
    planSourceUse(organizationId),
    planReading(source, isFile ? abandonedAfterMs : 0),
  );

  return source;
}

export function newSource(organizationId: string, type: SourceType, name: string): Source {
  const now = timestamp();

  return {
    id: newId(),
    organizationId,
    type,
    name,
    status: 'PENDING',
    chunkCount: 0,
    revision: 1,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** Plans a new source with its content. */
export function planSource(
  source: Source,
  content: SourceContent | undefined,
): { readonly source: Source; readonly writes: readonly Write[] } {
  const planned = content && planContent(source, content);
  const whole = planned ? { ...source, ...planned.attributes } : source;
  const { organizationId, id } = source;

  return {
    source: whole,
    writes: [
      create(knowledgeKeys.knowledgeSource(organizationId, id), whole),
      ...(planned?.writes ?? []),
    ],
  };
}

/** Returns the text of a TEXT source, or the pairs of an FAQ. */
export function contentOf({ text, faq }: Pick<Details, 'text' | 'faq'>): SourceContent | undefined {
  if (text) {
    return { text };
  }

  return faq ? { faq } : undefined;
}

async function requireRoomFor({ organizationId }: Source, details: Details): Promise<void> {
  const content = contentOf(details);
  await requireRoom(organizationId, content ? passagesOf(content).length : 1);
}

/** Returns the request for uploading a FILE as announced. It is always the same for one source. */
export async function presentSourceUpload(source: Source) {
  const { type, contentType = 'application/octet-stream', announcedBytes = 0, createdAt } = source;
  if (type !== 'FILE') {
    return null;
  }
  const file = { key: documentKey(source), contentType, bytes: announcedBytes };
  const expiresAt = timestamp(uploadSeconds * secondMs, Date.parse(createdAt));

  return { ...(await uploadTo(file, createdAt, uploadSeconds)), expiresAt };
}
