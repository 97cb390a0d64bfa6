import type { GooglePerson } from '#lib/vendors/google/id-token.ts';
import { maxLength, name } from '#schemas/common.ts';

const shownName = name({ example: 'Ada' });

/** Google accounts may have no last name, and their names may contain anything. */
export function namesOf({ email, givenName, familyName }: GooglePerson) {
  const [localPart = email] = email.split('@');
  const usable = (value: string | undefined) =>
    shownName.safeParse(value?.slice(0, maxLength.name)).data;

  return {
    firstName: usable(givenName) ?? localPart.slice(0, maxLength.name),
    lastName: usable(familyName) ?? '',
  };
}
