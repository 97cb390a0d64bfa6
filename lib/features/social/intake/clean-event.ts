import { cutToLength, oneLine, storableText } from '#lib/platform/characters.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { maxLength } from '#schemas/common.ts';

/** More than any network lets a person write. */
const maxTextLength = 20_000;

type Person = NormalisedEvent['from'];

/**
 * An event with names and a text that can be stored, and shown wherever they come to stand: networks
 * pass on whatever people call themselves and write.
 */
export function cleanEvent(event: NormalisedEvent): NormalisedEvent {
  const { from, to, text } = event;

  return {
    ...event,
    from: cleanPerson(from),
    to: to && cleanPerson(to),
    text: cutToLength(storableText(text), maxTextLength),
  };
}

function cleanPerson({ id, name }: Person): Person {
  return { id, name: cutToLength(oneLine(storableText(name)), maxLength.name).trim() };
}
