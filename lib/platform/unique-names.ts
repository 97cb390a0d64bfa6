import { equals } from '#lib/platform/db/conditions.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { create, remove, type Write } from '#lib/platform/db/write.ts';
import { conflict } from '#lib/platform/errors/failures.ts';

export type NamedKind = 'AGENT' | 'TEMPLATE' | 'INTERACTIVE_TEMPLATE' | 'SAVED_REPLY' | 'SEGMENT';

const nameTakenMessages: Readonly<Record<NamedKind, string>> = {
  AGENT: 'Agent name already exists',
  TEMPLATE: 'Template name already exists',
  INTERACTIVE_TEMPLATE: 'Template name already exists',
  SAVED_REPLY: 'Saved reply name already exists',
  SEGMENT: 'Segment name already exists',
};

function claimKey(organizationId: string, kind: NamedKind, name: string): Key {
  return keys.nameClaim(organizationId, kind, name);
}

/** Fails with a 409 if another record of the kind has the name. */
export function planNameClaim(
  organizationId: string,
  kind: NamedKind,
  { id, name }: { readonly id: string; readonly name: string },
): Write {
  return create(claimKey(organizationId, kind, name), { id }, () =>
    conflict(nameTakenMessages[kind]),
  );
}

/** Fails with ConditionNotMet if the claim is missing or belongs to another record. */
export function planNameRelease(
  organizationId: string,
  kind: NamedKind,
  { id, name }: { readonly id: string; readonly name: string },
): Write {
  return remove(claimKey(organizationId, kind, name), { when: equals('id', id) });
}

/** Returns the writes that move the claim to a new name, or none if the name is unchanged. */
export function planNameChange(
  organizationId: string,
  kind: NamedKind,
  { id, name }: { readonly id: string; readonly name: string },
  newName: string | undefined,
): readonly Write[] {
  if (newName === undefined || newName === name) {
    return [];
  }

  return [
    planNameRelease(organizationId, kind, { id, name }),
    planNameClaim(organizationId, kind, { id, name: newName }),
  ];
}
