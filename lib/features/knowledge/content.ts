import { createHash } from 'node:crypto';
import { knowledgeKeys } from '#lib/platform/db/keys/knowledge.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { create, discard, type Write } from '#lib/platform/db/write.ts';
import type { Source } from './source.ts';

export type FaqPair = { readonly question: string; readonly answer: string };

/** The text of a TEXT source, or the pairs of an FAQ. */
export type SourceContent = { readonly text: string } | { readonly faq: readonly FaqPair[] };

/** An item can have 400 KB. */
const partBytes = 350_000;

type ContentPlace = Pick<Source, 'organizationId' | 'id' | 'revision'>;

/** Identifies content, so that unchanged content is not read again. */
export function hashOfContent(content: SourceContent): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

/** Plans the items that contain the content, in the transaction that creates its revision. */
export function planContent(
  { organizationId, id, revision }: ContentPlace,
  content: SourceContent,
) {
  const bytes = Buffer.from(JSON.stringify(content));
  const contentParts = Math.ceil(bytes.length / partBytes);

  return {
    attributes: { contentParts, contentHash: hashOfContent(content) },
    writes: Array.from({ length: contentParts }, (_, part) =>
      create(knowledgeKeys.knowledgeContent(organizationId, id, revision, part), {
        content: bytes.subarray(part * partBytes, (part + 1) * partBytes),
      }),
    ),
  };
}

function partKeys({ organizationId, id, revision, contentParts = 0 }: Source) {
  return Array.from({ length: contentParts }, (_, part) =>
    knowledgeKeys.knowledgeContent(organizationId, id, revision, part),
  );
}

export function planContentRemoval(source: Source): readonly Write[] {
  return partKeys(source).map(discard);
}

/** Returns the content. `undefined` if a newer revision has replaced it. */
export async function readContent(source: Source): Promise<SourceContent | undefined> {
  const parts = await getMany<{ readonly content: Uint8Array }>(partKeys(source));
  const found = parts.flatMap((part) => (part ? [part.content] : []));

  return found.length === 0 || found.length < parts.length
    ? undefined
    : (JSON.parse(Buffer.concat(found).toString()) as SourceContent);
}
