import { absent, either, equals } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { change, type Write } from '#lib/platform/db/write.ts';
import { apiError, notFound } from '#lib/platform/errors/failures.ts';
import type { PromptSource } from './template.ts';

export type TemplateKind = 'TEMPLATE' | 'INTERACTIVE_TEMPLATE';

export function templateKey(organizationId: string, kind: TemplateKind, id: string): Key {
  return organizationKeys.record(organizationId, kind, id);
}

export type NamedTemplate = { readonly id: string; readonly kind: TemplateKind };

/** A template together with the fields that its prompts need. */
export type FoundTemplate = NamedTemplate & { readonly source: PromptSource };

const kinds = ['TEMPLATE', 'INTERACTIVE_TEMPLATE'] as const;

/** Returns the possible keys of a template whose kind is unknown. */
export function templateKeys(organizationId: string, id: string): readonly Key[] {
  return kinds.map((kind) => templateKey(organizationId, kind, id));
}

/** Finds templates whose kind is unknown, in one round trip. @throws 404 if one does not exist. */
export async function requireTemplates(
  organizationId: string,
  ids: readonly string[],
): Promise<readonly FoundTemplate[]> {
  const candidates = [...new Set(ids)].flatMap((id) => kinds.map((kind) => ({ id, kind })));
  const found = await getMany<PromptSource>(
    candidates.map(({ id, kind }) => templateKey(organizationId, kind, id)),
  );
  const templates = candidates.flatMap((candidate, index) => {
    const source = found[index];

    return source ? [{ ...candidate, source }] : [];
  });
  if (templates.length < new Set(ids).size) {
    throw notFound('Prompt template');
  }

  return templates;
}

/**
 * Counts the references to a template, in the transaction that adds or removes one. A referenced
 * template cannot be deleted, and a deleted template cannot be referenced.
 */
export function planTemplateUse(
  organizationId: string,
  { id, kind }: NamedTemplate,
  amount: 1 | -1,
): Write {
  return change(templateKey(organizationId, kind, id), {
    add: { usedBy: amount },
    onConditionFailed: () => notFound('Prompt template'),
  });
}

/** The condition for deleting a template. */
export const unusedTemplate = /* @__PURE__ */ (() => ({
  when: either(absent('usedBy'), equals('usedBy', 0)),
  onConditionFailed: (stored: object | undefined) =>
    stored
      ? apiError('IN_USE', 'The template is in use by an agent or a campaign')
      : notFound('Prompt template'),
}))();
