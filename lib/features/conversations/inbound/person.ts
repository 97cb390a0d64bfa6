import { isNamed } from '#lib/features/conversations/conversation.ts';
import { cutToLength, oneLine, storableText } from '#lib/platform/characters.ts';
import { definedFields } from '#lib/platform/compact.ts';
import type { Person } from '#lib/vendors/networks/network.ts';
import { maxLength } from '#schemas/common.ts';

const maxUrlLength = 2_048;

/**
 * Cleans a network's data about a person, so that it can be stored and displayed safely. Networks
 * return user input unchanged.
 */
export function cleanPerson({ id, name, username, avatarUrl }: Person): Person {
  const cleanUsername = cleanName(username ?? '');

  return {
    id,
    name: cleanName(name),
    ...(cleanUsername === '' ? {} : { username: cleanUsername }),
    ...(isWebAddress(avatarUrl) ? { avatarUrl } : {}),
  };
}

function cleanName(name: string): string {
  return cutToLength(oneLine(storableText(name)), maxLength.name).trim();
}

function isWebAddress(url: string | undefined): url is string {
  return (
    url !== undefined &&
    url.length <= maxUrlLength &&
    URL.canParse(url) &&
    ['https:', 'http:'].includes(new URL(url).protocol)
  );
}

/** Removes the id that replaces an unknown name. */
export function withoutStandIn(person: Person): Partial<Person> {
  const { name, ...others } = definedFields({ ...person });

  return isNamed(person) ? { ...others, name: person.name } : others;
}
