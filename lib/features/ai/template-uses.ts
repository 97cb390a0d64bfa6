import { absent, either, equals } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { change, remove, type Write } from '#lib/platform/db/write.ts';
import { conflict, notFound } from '#lib/platform/errors/failures.ts';

/** Both kinds of templates may be named by `promptTemplateId`. */
export type TemplateKind = 'TEMPLATE' | 'INTERACTIVE_TEMPLATE';

export function templateKey(organizationId: string, kind: TemplateKind, id: string): Key {
  return kind === 'TEMPLATE'
    ? keys.promptTemplate(organizationId, id)
    : keys.interactiveTemplate(organizationId, id);
}

/** A template that something names, and which kind it is of. */
export type NamedTemplate = { readonly id: string; readonly kind: TemplateKind };

const kinds = ['TEMPLATE', 'INTERACTIVE_TEMPLATE'] as const;

/** Where a template lies whose kind nobody has said. */
export function templateKeys(organizationId: string, id: string): readonly Key[] {
  return kinds.map((kind) => templateKey(organizationId, kind, id));
}

/**
 * Finds which kind of template each id names, in one round trip.
 *
 * @throws 404 where one names none.
 */
export async function requireTemplates(
  organizationId: string,
  ids: readonly string[],
): Promise<readonly NamedTemplate[]> {
  const candidates = [...new Set(ids)].flatMap((id) => kinds.map((kind) => ({ id, kind })));
  const found = await getMany(
    candidates.map(({ id, kind }) => templateKey(organizationId, kind, id)),
  );
  const named = candidates.filter((_, index) => found[index] !== undefined);
  if (named.length < new Set(ids).size) {
    throw notFound('Prompt template');
  }

  return named;
}

/**
 * Counts who uses a template, in the transaction of what names it: one that is used cannot be
 * deleted, and one that is deleted cannot be named.
 */
export function countTemplateUse(
  organizationId: string,
  { id, kind }: NamedTemplate,
  amount: 1 | -1,
): Write {
  return change(templateKey(organizationId, kind, id), {
    add: { usedBy: amount },
    refused: () => notFound('Prompt template'),
  });
}

/** Removes a template that nothing uses. */
export function removeTemplate(organizationId: string, { id, kind }: NamedTemplate): Write {
  return remove(templateKey(organizationId, kind, id), {
    when: either(absent('usedBy'), equals('usedBy', 0)),
    refused: (stored) =>
      stored
        ? conflict('The template is in use by an agent or a campaign')
        : notFound('Prompt template'),
  });
}
