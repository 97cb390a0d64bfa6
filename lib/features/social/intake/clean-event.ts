import { cutToLength, oneLine, storableText } from '#lib/platform/characters.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { maxLength } from '#schemas/common.ts';

/** Longer than any network allows. */
const maxTextLength = 20_000;

type Person = NormalisedEvent['from'];

/**
 * Sanitizes names and text, so that they can be stored and displayed safely. Networks pass on user
 * input unchanged.
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
