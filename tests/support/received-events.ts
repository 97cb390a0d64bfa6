import { expect } from 'vitest';
import { type EventType, events } from '#schemas/events.ts';
import { sandbox } from './mails.ts';

export type ReceivedEvent = {
  readonly type: EventType;
  // biome-ignore lint/suspicious/noExplicitAny: what an event says, each looked at by its test.
  readonly data: any;
};

/** The events that a receiver of the sandbox got, each checked against what is promised of it. */
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

/** A URL that the sandbox takes events at. */
export function receiverUrl(name: string): string {
  return `${process.env.WEBHOOK_ALLOWED_ORIGINS}/_sandbox/hooks/${name}`;
}
