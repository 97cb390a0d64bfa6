import { hourMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { type Alongside, create, type Write, write } from '#lib/platform/db/write.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { checkPublicUrl } from '#lib/platform/outbound/public-url.ts';
import { uploadTo } from '#lib/platform/storage/uploads.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { createKnowledgeSource, SourceType } from '#schemas/knowledge.ts';
import { type Content, planContent } from './content.ts';
import { planSourceUse, requireRoom } from './knowledge-usage.ts';
import { passagesOf } from './passages.ts';
import { abandonedAfterMs, planReading } from './plan-reading.ts';
import { documentKey, type Source } from './source.ts';

const uploadSeconds = hourMs / secondMs;

/** The fields of each type, which are required. */
const fieldsOf = {
  TEXT: ['text'],
  FAQ: ['faq'],
  URL: ['url'],
  FILE: ['fileName', 'contentType', 'bytes'],
} as const satisfies Record<SourceType, readonly string[]>;

type Details = BodyOf<typeof createKnowledgeSource>;

function requireFields(details: Details): void {
  const { type } = details;
  const required: readonly string[] = fieldsOf[type];
  const problems = Object.values(fieldsOf)
    .flat()
    .flatMap((field) => {
      const isGiven = details[field] !== undefined;
      if (isGiven === required.includes(field)) {
        return [];
      }

      return [isGiven ? `${field} is not for a ${type}` : `${field} is required for a ${type}`];
    });
  if (problems.length > 0) {
    throw badRequest(...problems);
  }
}

/** @throws 400 for fields that do not fit the type; 409 if a quota has no room. */
export async function createSource(
  organizationId: string,
  details: Details,
  alongside: Alongside<Source>,
): Promise<Source> {
  requireFields(details);
  const { type, name, url, contentType, bytes } = details;
  if (url) {
    checkPublicUrl(url, 'url');
  }
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
  const [first] = await Promise.all([alongside(source), requireRoomFor(source, details)]);
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
  content: Content | undefined,
): { readonly source: Source; readonly writes: readonly Write[] } {
  const planned = content && planContent(source, content);
  const whole = planned ? { ...source, ...planned.attributes } : source;
  const { organizationId, id } = source;

  return {
    source: whole,
    writes: [create(keys.knowledgeSource(organizationId, id), whole), ...(planned?.writes ?? [])],
  };
}

/** Returns what was written for a TEXT or FAQ. */
export function contentOf({ text, faq }: Pick<Details, 'text' | 'faq'>): Content | undefined {
  if (text) {
    return { text };
  }

  return faq ? { faq } : undefined;
}

async function requireRoomFor({ organizationId }: Source, details: Details): Promise<void> {
  const content = contentOf(details);
  await requireRoom(organizationId, content ? passagesOf(content).length : 1);
}

/** Returns the request that uploads a FILE, as announced. Always the same for one source. */
export async function presentSourceUpload(source: Source) {
  const { type, contentType = 'application/octet-stream', announcedBytes = 0, createdAt } = source;
  if (type !== 'FILE') {
    return null;
  }
  const file = { key: documentKey(source), contentType, bytes: announcedBytes };
  const expiresAt = timestamp(uploadSeconds * secondMs, Date.parse(createdAt));

  return { ...(await uploadTo(file, createdAt, uploadSeconds)), expiresAt };
}
