import { timestamp } from '#lib/platform/clock.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { knowledgeKeys } from '#lib/platform/db/keys/knowledge.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  type Attributes,
  applied,
  change,
  type ExtraWrites,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { badRequest, rejectProblems } from '#lib/platform/errors/failures.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { updateKnowledgeSource } from '#schemas/knowledge.ts';
import { hashOfContent, planContent, planContentRemoval, type SourceContent } from './content.ts';
import { contentOf } from './create-source.ts';
import { requireRoom } from './knowledge-usage.ts';
import { passagesOf } from './passages.ts';
import { planReading } from './plan-reading.ts';
import { requireSource, type Source } from './source.ts';

type Patch = BodyOf<typeof updateKnowledgeSource>;
type Planned = { readonly after: Source; readonly writes: readonly Write[] };

/** Fails if a person has changed the source since it was read. */
function planSourceChange(before: Source, set: Attributes): Planned {
  const { organizationId, id, version } = before;
  const changes = { ...set, version: version + 1, updatedAt: timestamp() };

  return {
    after: applied(before, changes),
    writes: [
      change(knowledgeKeys.knowledgeSource(organizationId, id), {
        set: changes,
        when: equals('version', version),
      }),
    ],
  };
}

/**
 * Plans that a source is read again, with new content if it is given. Its current passages are
 * searched until the new ones are READY.
 */
export function planRevision(
  before: Source,
  {
    content,
    set = {},
  }: { readonly content?: SourceContent | undefined; readonly set?: Attributes } = {},
): Planned {
  const revision = before.revision + 1;
  const planned = content && planContent({ ...before, revision }, content);
  const { after, writes } = planSourceChange(before, {
    ...set,
    revision,
    status: 'PENDING',
    failureReason: null,
    tries: null,
    ...planned?.attributes,
  });

  return {
    after,
    writes: [
      ...writes,
      ...(planned ? [...planContentRemoval(before), ...planned.writes] : []),
      planReading(before),
    ],
  };
}

/** @throws 404; 400 for content of another type; 409 if the passages would exceed the quota. */
export function updateSource(
  organizationId: string,
  sourceId: string,
  patch: Patch,
): Promise<Source> {
  return retryWhenOvertaken('knowledge source', async () => {
    const before = await requireSource(organizationId, sourceId);
    requireOwnContent(before, patch);
    const set = { name: patch.name ?? before.name, ...(patch.url ? { url: patch.url } : {}) };
    if (isNewContent(before, patch)) {
      const content = contentOf(patch);
      if (content) {
        await requireRoom(organizationId, passagesOf(content).length, before.chunkCount);
      }
      const { after, writes } = planRevision(before, { content, set });
      await write(...writes);

      return after;
    }
    if (!changesSomething(before, set)) {
      return before;
    }
    const { after, writes } = planSourceChange(before, set);
    await write(...writes);

    return after;
  });
}

/** Unchanged content is read again only if reading it failed. */
function isNewContent({ status, contentHash, url }: Source, patch: Patch): boolean {
  const content = contentOf(patch);
  const isGiven = content !== undefined || patch.url !== undefined;
  const isSame =
    (!content || hashOfContent(content) === contentHash) &&
    (patch.url === undefined || patch.url === url);

  return isGiven && (!isSame || status === 'FAILED');
}

function requireOwnContent({ type }: Source, patch: Patch): void {
  const given = (['text', 'faq', 'url'] as const).filter((field) => patch[field] !== undefined);
  const foreign = given.filter((field) => field.toUpperCase() !== type);
  rejectProblems(foreign.map((field) => `${field} is not for a ${type}`));
}

/** @throws 404; 400 for a source without a URL. */
export function syncSource(
  organizationId: string,
  sourceId: string,
  extraWrites: ExtraWrites<Source>,
): Promise<Source> {
  return retryWhenOvertaken('knowledge source', async () => {
    const before = await requireSource(organizationId, sourceId);
    if (before.type !== 'URL') {
      throw badRequest('source_id must name a URL');
    }
    const { after, writes } = planRevision(before);
    await write(...writes, ...(await extraWrites(after)));

    return after;
  });
}
