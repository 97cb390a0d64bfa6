import { createSegment } from '#schemas/segments.ts';
import type { LeadWorld } from './world.ts';

/** Creates a segment with this filter. */
export async function newSegment(
  world: LeadWorld,
  filter: Readonly<Record<string, unknown>>,
  name: string = crypto.randomUUID(),
) {
  return (await world.ask(createSegment, { body: { name, filter } })).body.segment;
}

/** Returns a function that checks whether a lead, as the API presents it, matches a filter. */
export function matcherOf(filter: Readonly<Record<string, unknown>>) {
  const { tag, createdAfter, createdBefore, valueMin, valueMax, ...equal } = filter;

  // biome-ignore lint/suspicious/noExplicitAny: a lead of a response
  return (lead: any): boolean =>
    Object.entries(equal).every(([field, value]) => lead[field] === value) &&
    (tag === undefined || lead.tags.includes(tag)) &&
    (createdAfter === undefined || lead.createdAt > String(createdAfter)) &&
    (createdBefore === undefined || lead.createdAt < String(createdBefore)) &&
    (valueMin === undefined || (lead.value !== null && lead.value >= Number(valueMin))) &&
    (valueMax === undefined || (lead.value !== null && lead.value <= Number(valueMax)));
}
