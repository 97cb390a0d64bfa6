import { expect } from 'vitest';
import type { EventType } from '#schemas/event-types.ts';
import { events } from '#schemas/events.ts';
import { sandbox } from './mails.ts';

export type ReceivedEvent = {
  readonly type: EventType;
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the data of its events.
  readonly data: any;
};

/** Returns the events that a sandbox webhook received, after checking their common format. */
export async function receivedEvents(name: string): Promise<readonly ReceivedEvent[]> {
  const requests = await sandbox.requests({ service: 'hooks' });
  const bodies: readonly ReceivedEvent[] = requests
    .filter(({ path }) => path.endsWith(name))
    .map(({ body }) => JSON.parse(body ?? ''));
  for (const { type, data } of bodies) {
    expect(events[type].data.parse(data)).toEqual(data);
  }

  return bodies;
}
